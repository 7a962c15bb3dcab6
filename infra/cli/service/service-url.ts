import { UsageError } from "../program/failures.ts";

export function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

/** @throws {UsageError} since a key is not sent in clear over a network. */
export function serviceUrl(text: string, from: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url))) {
    if (url.username === "" && url.password === "") return `${url.origin}${url.pathname.replace(/\/$/, "")}`;
  }
  throw new UsageError(`${from} takes the service's address, such as https://api.example.com`);
}
