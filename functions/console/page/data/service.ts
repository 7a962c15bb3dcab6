import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { type ApiClient, createApiClient } from "../../../../shared/client/api-client.ts";
import type { CallerFacts } from "../../../../shared/contract/api-key.ts";
import type { Scope } from "../../../../shared/vocabulary/access.ts";
import type { LiveChannel } from "./live-channel.ts";

/** What the pages of somebody who is signed in work with. */
export interface Service {
  readonly client: ApiClient;
  readonly credentials: string;
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

/** The page calls the service that it was loaded from. */
export function clientOf(credentials: string): ApiClient {
  // A person who waits is told sooner than a program.
  return createApiClient({ baseUrl: location.origin, credentials, attemptsMax: 3, totalMs: 20_000 });
}
