import type { CallerFacts } from "../../../../shared/contract/api-key.ts";
import { createStore } from "./store.ts";

export interface Session {
  readonly credentials: string;
  readonly caller: CallerFacts;
}

/** `undefined` while nobody is signed in; the sentence says why a session has ended. */
export const session = createStore<Session | undefined>(undefined);
export const signedOutBecause = createStore<string | undefined>(undefined);

/** The tab's own storage: closing the tab forgets the credentials, and no other tab has them. */
const place = "das.console.credentials";

export function keptCredentials(): string | undefined {
  return sessionStorage.getItem(place) ?? undefined;
}

export function signIn(next: Session): void {
  sessionStorage.setItem(place, next.credentials);
  signedOutBecause.set(undefined);
  session.set(next);
}

export function signOut(because?: string): void {
  sessionStorage.removeItem(place);
  signedOutBecause.set(because);
  session.set(undefined);
}
