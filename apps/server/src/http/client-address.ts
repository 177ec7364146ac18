import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** @returns `undefined` when an entry is neither an IP address nor a network like 10.0.0.0/8 */
export function toProxies(entries: readonly string[]): BlockList | undefined {
  const proxies = new BlockList();
  for (const entry of entries) {
    const [, address = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry.trim()) ?? [];
    const family = familyOf(address);
    const maxBits = family === "ipv4" ? 32 : 128;
    if (family === undefined || Number(bits ?? 0) > maxBits) return undefined;
    proxies.addSubnet(address, Number(bits ?? maxBits), family);
  }
  return proxies;
}

/**
 * The address of the connection, and the client address that a chain of trusted proxies reports in
 * `X-Forwarded-For`.
 */
export function clientAddressOf(
  { socket, headers }: IncomingMessage,
  proxies: BlockList,
): { clientAddress: string | undefined; forwardedAddress?: string | undefined } {
  const clientAddress = socket.remoteAddress;
  const forwarded = headers["x-forwarded-for"];
  if (typeof forwarded !== "string" || !isTrusted(clientAddress, proxies)) return { clientAddress };
  let forwardedAddress: string | undefined;
  for (const hop of forwarded.split(",").toReversed()) {
    const address = hop.trim();
    if (familyOf(address) === undefined) break; // clients can put anything there
    forwardedAddress = address;
    if (!isTrusted(address, proxies)) break;
  }
  return { clientAddress, forwardedAddress };
}

function isTrusted(address: string | undefined, proxies: BlockList): boolean {
  const family = familyOf(address);
  return family !== undefined && proxies.check(address ?? "", family);
}

/** Whether an address or host name can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/** `undefined` for an address with a zone: `BlockList` rejects it. */
function familyOf(address = ""): "ipv4" | "ipv6" | undefined {
  const families: Record<number, "ipv4" | "ipv6"> = { 4: "ipv4", 6: "ipv6" };
  return address.includes("%") ? undefined : families[isIP(address)];
}
