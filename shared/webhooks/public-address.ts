import ipaddr from "ipaddr.js";

/** Public IPv6 addresses are in this range; those with an IPv4 address inside are elsewhere, or in 2002::/16. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(globalUnicast);
}

export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}
