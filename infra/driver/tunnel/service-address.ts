import { isLoopbackUrl } from "../loopback-url.ts";

export interface ServiceAddressOptions {
  readonly url: string;
  /** Hosts, with their port unless it is the scheme's own, that a goodbye `moved` may lead to. */
  readonly allowedHosts: readonly string[];
  readonly keep?: (address: string) => Promise<void>;
}

/** A new address of the service counts once the driver was welcomed there, so a wrong one costs one attempt. */
export class ServiceAddress {
  #current: string;
  #tried: string | undefined;
  readonly #options: ServiceAddressOptions;

  constructor(options: ServiceAddressOptions) {
    this.#options = options;
    this.#current = options.url;
  }

  get next(): string {
    return this.#tried ?? this.#current;
  }

  /** @returns whether the next attempt goes there. */
  follow(address: string | undefined): boolean {
    const url = address === undefined ? null : URL.parse(address);
    if (url === null || !isAllowed(url, this.#options.allowedHosts)) return false;
    this.#tried = url.href;
    return true;
  }

  async welcomedAt(address: string): Promise<void> {
    if (address !== this.#tried) return;
    this.#current = address;
    this.#tried = undefined;
    await this.#options.keep?.(address);
  }

  /** @returns whether the next attempt goes back to where the driver was welcomed last. */
  failedAt(address: string): boolean {
    if (address !== this.#tried) return false;
    this.#tried = undefined;
    return true;
  }
}

export function isAllowed(url: URL, hosts: readonly string[]): boolean {
  const isSafe = url.protocol === "wss:" || (url.protocol === "ws:" && isLoopbackUrl(url));
  return isSafe && url.username === "" && url.password === "" && hosts.includes(url.host);
}
