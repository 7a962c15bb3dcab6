import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { type ApiClient, createApiClient } from "../../../../shared/client/api-client.ts";
import type { LiveChannel } from "../../../../shared/client/live-channel.ts";
import type { CallerFacts } from "../../../../shared/contract/api-key.ts";
import type { Scope } from "../../../../shared/vocabulary/access.ts";

/** The service as the pages of somebody who is signed in use it. */
export interface Service {
  readonly client: ApiClient;
  /** For responses that the client does not read, such as a picture with its `ETag`: `fetch` with the credentials. */
  readonly fetch: typeof fetch;
  readonly caller: CallerFacts;
  readonly live: LiveChannel;
}

export const ServiceContext = createContext<Service | undefined>(undefined);

/** @throws {Error} outside of the pages of somebody who is signed in. */
export function useService(): Service {
  const service = useContext(ServiceContext);
  if (service === undefined) throw new Error("nobody is signed in");
  return service;
}

/** Says what the credentials allow, so that the page has no button that would fail. */
export function useCan(): (scope: Scope) => boolean {
  const { caller } = useService();
  return (scope) => caller.scopes.includes(scope);
}

/**
 * `fetch` with the present credentials, which a session renews.
 *
 * @param onRefused is called when the service no longer takes them.
 */
export function fetchWith(credentials: () => string, onRefused: () => void): typeof fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${credentials()}`);
    const response = await fetch(input, { ...init, headers });
    if (response.status === 401) onRefused();
    return response;
  };
}

/** The page calls the service that it was loaded from. */
export function clientOf(authorized: typeof fetch): ApiClient {
  // A person sees a failure sooner than a program.
  return createApiClient({ baseUrl: location.origin, fetch: authorized, attemptsMax: 3, totalMs: 20_000 });
}
