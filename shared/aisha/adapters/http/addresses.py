"""Which IP addresses a request may go to."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

_NAT64 = IPv6Network("64:ff9b::/96")
"""RFC 6052: an IPv4 address in its last 32 bits, where a network has IPv6 alone."""
_METADATA: tuple[IPv4Network | IPv6Network, ...] = (ip_network("169.254.0.0/16"), ip_network("fd00:ec2::/32"))
"""Where clouds hand out credentials to whoever asks: link-local, and EC2's and ECS's addresses for IPv6."""


def may_connect(address: str, allow_private: bool) -> bool:
    """True for addresses of the public internet, and for private and loopback ones with `allow_private`.

    Never for link-local, cloud metadata, multicast and unspecified addresses.
    """
    found = _unwrapped(ip_address(address.partition("%")[0]))
    is_never = (
        found.is_link_local or found.is_multicast or found.is_unspecified or any(found in net for net in _METADATA)
    )
    return not is_never and (found.is_global or (allow_private and (found.is_private or found.is_loopback)))


def _unwrapped(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """The IPv4 address that an IPv6 one only carries."""
    if isinstance(address, IPv4Address):
        return address
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1] or address
