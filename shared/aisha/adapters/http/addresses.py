"""The IP addresses that a request may go to.

Lists of what is allowed, since there are always more special ranges than a list of them names.
"""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

_Network = IPv4Network | IPv6Network
_NAT64 = IPv6Network("64:ff9b::/96")
"""Addresses of IPv6-only networks whose last 32 bits are an IPv4 address (RFC 6052)."""
_GLOBAL_UNICAST = IPv6Network("2000::/3")
"""All IPv6 addresses that are assigned to hosts of the internet (RFC 4291)."""
_PRIVATE: Sequence[_Network] = [
    ip_network(text)
    for text in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "100.64.0.0/10", "fc00::/7", "::1/128")
]
_METADATA: Sequence[_Network] = [
    ip_network(text)
    for text in (
        "169.254.0.0/16",  # AWS, Azure, Google and others
        "fd00:ec2::/32",  # EC2 and ECS by IPv6
        "fd20:ce::/32",  # Google by IPv6
        "192.0.0.0/24",  # Oracle's 192.0.0.192
        "168.63.129.16/32",  # Azure
        "100.100.100.200/32",  # Alibaba
    )
]
"""Addresses of the clouds' credential services."""


def may_connect(address: str, *, allow_private: bool) -> bool:
    """Return whether an address is of the public internet, or private or loopback with `allow_private`.

    Never for link-local, cloud metadata, multicast, reserved and unspecified addresses.
    """
    # A link-local address may carry its interface: "fe80::1%eth0". A wrapped one such as 64:ff9b::a9fe:a9fe reaches the
    # IPv4 address in it, here the metadata service's 169.254.169.254.
    ip = _unwrapped(ip_address(address.partition("%")[0]))
    if any(ip in network for network in _METADATA):
        return False
    if allow_private and any(ip in network for network in _PRIVATE):
        return True
    is_assigned = isinstance(ip, IPv4Address) or ip in _GLOBAL_UNICAST
    return is_assigned and ip.is_global and not (ip.is_multicast or ip.is_reserved)


def _unwrapped(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """Return the IPv4 address that an IPv6 one only wraps."""
    if isinstance(address, IPv4Address):
        return address
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1] or address
