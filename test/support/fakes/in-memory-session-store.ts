import type { Session } from "../../../shared/domain/run/run.ts";
import type { SessionStore } from "../../../shared/domain/session/session-store.ts";
import type { InMemoryRunStore } from "./in-memory-run-store.ts";

/** The sessions of the runs in memory, since both are made and ended together. */
export class InMemorySessionStore implements SessionStore {
  readonly #runs: InMemoryRunStore;

  constructor(runs: InMemoryRunStore) {
    this.#runs = runs;
  }

  async find(organizationId: string, sessionId: string): Promise<Session | undefined> {
    return await this.#runs.findSession(organizationId, sessionId);
  }

  async end(
    organizationId: string,
    sessionId: string,
    _endedAt: string,
    usedAt?: string,
  ): Promise<Session | undefined> {
    const session = await this.find(organizationId, sessionId);
    if (session === undefined || (usedAt !== undefined && session.usedAt !== usedAt)) return session;
    const ended: Session = { ...session, status: "ended" };
    this.#runs.writeSession(ended);
    return ended;
  }

  async listOpenDue(limit: number): Promise<readonly Session[]> {
    const open = [...this.#runs.sessions.values()].filter(({ status }) => status !== "ended");
    open.sort((one, other) => (one.usedAt < other.usedAt ? -1 : 1));
    return structuredClone(open.slice(0, limit));
  }

  /** A session in memory has its place by being pending. */
  async removePlace(): Promise<void> {}
}
