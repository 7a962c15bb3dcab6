import { type LookupAddress, lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** The message names no address, since presigned ones are secrets. */
export class TransferFailed extends Error {
  readonly again: boolean;

  constructor(message: string, again: boolean) {
    super(message);
    this.name = "TransferFailed";
    this.again = again;
  }
}

/**
 * Sources: https://www.iana.org/assignments/iana-ipv4-special-registry,
 * https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const specialNets = {
  loopback: ["127.0.0.0/8", "0.0.0.0/8", "::1/128", "::/128"],
  link_local: ["169.254.0.0/16", "fe80::/10"],
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"],
  reserved: ["192.0.0.0/24", "198.18.0.0/15", "224.0.0.0/4", "240.0.0.0/4", "64:ff9b:1::/48", "ff00::/8"],
} as const;

type Place = keyof typeof specialNets | "public";

function blockList(nets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const net of nets) {
    const [address = "", bits] = net.split("/");
    if (isIP(address) === 6) {
      list.addSubnet(address, Number(bits), "ipv6");
      continue;
    }
    list.addSubnet(address, Number(bits), "ipv4");
    // NAT64 translates the same address; the list itself knows the one mapped into IPv6.
    list.addSubnet(`64:ff9b::${address}`, 96 + Number(bits), "ipv6");
  }
  return list;
}

const lists = Object.entries(specialNets).map(([place, nets]) => [place as Place, blockList(nets)] as const);

function placeOf(address: string): Place {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  return lists.find(([, list]) => list.check(address, family))?.[0] ?? "public";
}

const elsewhere = "the address of the transfer is none that this driver may open";

/** The address connected to counts, whatever its name resolved to before. */
export class TransferRules {
  /** No host is allowed before the welcome. */
  #hosts: ReadonlySet<string> | undefined;
  readonly #servicePlace: Place;

  constructor(serviceAddress: string | undefined) {
    this.#servicePlace = serviceAddress === undefined ? "public" : placeOf(serviceAddress);
  }

  pin(hosts: readonly string[]): void {
    this.#hosts ??= new Set(hosts.map((host) => host.toLowerCase()));
  }

  /** The look-up returns permitted addresses only. @throws {TransferFailed} */
  admit(address: string): { readonly url: URL; readonly lookup: LookupFunction } {
    const url = new URL(address);
    if (url.protocol !== "https:" && url.protocol !== "http:") throw new TransferFailed(elsewhere, false);
    if (this.#hosts?.has(url.host) !== true) {
      throw new TransferFailed("the host of the transfer is none of those in the welcome", false);
    }
    const isPlain = url.protocol === "http:";
    const host = url.hostname.replaceAll(/[[\]]/g, "");
    if (isIP(host) !== 0) this.#checkAddress(host, isPlain);
    return {
      url,
      lookup: (name, options, found) => {
        lookup(name, { ...options, all: true }, (error, addresses) => {
          if (error !== null) return found(error, []);
          try {
            for (const each of addresses) this.#checkAddress(each.address, isPlain);
          } catch (refused) {
            return found(refused as TransferFailed, []);
          }
          const [first] = addresses as [LookupAddress, ...LookupAddress[]];
          if (options.all === true) found(null, addresses);
          else found(null, first.address, first.family);
        });
      },
    };
  }

  #checkAddress(address: string, isPlain: boolean): void {
    const place = placeOf(address);
    if (isPlain && place === "loopback" && this.#servicePlace === "loopback") return;
    if (isPlain) throw new TransferFailed("the transfer is not over https", false);
    if (place === "public" || (place === this.#servicePlace && place !== "reserved")) return;
    throw new TransferFailed(elsewhere, false);
  }
}
