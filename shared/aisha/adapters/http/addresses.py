"""The IP addresses that a request may go to."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

_NAT64 = IPv6Network("64:ff9b::/96")
"""RFC 6052: an IPv4 address in its last 32 bits, where a network has IPv6 alone."""
_METADATA: tuple[IPv4Network | IPv6Network, ...] = (ip_network("169.254.0.0/16"), ip_network("fd00:ec2::/32"))
"""Addresses of the clouds' credential services: link-local, and EC2's and ECS's for IPv6."""


def may_connect(address: str, allow_private: bool) -> bool:
    """Return whether an address is of the public internet, or private or loopback with `allow_private`.

    Never for link-local, cloud metadata, multicast and unspecified addresses.
    """
    # A link-local address may carry its interface: "fe80::1%eth0". A wrapped one such as 64:ff9b::a9fe:a9fe reaches the
    # IPv4 address in it, here the metadata service's 169.254.169.254.
    ip = _unwrapped(ip_address(address.partition("%")[0]))
    is_forbidden = ip.is_link_local or ip.is_multicast or ip.is_unspecified or any(ip in net for net in _METADATA)
    return not is_forbidden and (ip.is_global or (allow_private and (ip.is_private or ip.is_loopback)))


def _unwrapped(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """Return the IPv4 address that an IPv6 one only wraps."""
    if isinstance(address, IPv4Address):
        return address
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1] or address
