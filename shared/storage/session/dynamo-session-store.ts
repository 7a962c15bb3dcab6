import { entryOfSession } from "../../domain/matching/queue-places.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { Session, SessionStore } from "../../domain/session/session.ts";
import { entryKey } from "../queue/queue-rows.ts";
import { readDue } from "../table/due-items.ts";
import { DynamoStore } from "../table/dynamo-store.ts";

import { allOf, hasValue } from "../table/expression.ts";
import { sessionKey } from "../table/keys.ts";
import { endedChange, isOpenSession, parseSession } from "./session-item.ts";

export class DynamoSessionStore extends DynamoStore implements SessionStore {
  async find(organizationId: OrganizationId, sessionId: string): Promise<Session | undefined> {
    const item = await this.table.get(sessionKey(organizationId, sessionId));
    return item && parseSession(item);
  }

  async end(
    organizationId: OrganizationId,
    sessionId: string,
    endedAt: string,
    usedAt?: string,
  ): Promise<Session | undefined> {
    const isAsUsed = usedAt === undefined ? undefined : hasValue("used_at", usedAt);
    const condition = allOf(isOpenSession, isAsUsed);
    const outcome = await this.table.update(
      sessionKey(organizationId, sessionId),
      endedChange(endedAt),
      condition,
    );
    return outcome.item && parseSession(outcome.item);
  }

  async listOpenDue(limit: number): Promise<readonly Session[]> {
    const sessions = (await readDue(this.table, "OPEN#SESSION", { limit })).map(parseSession);
    return sessions.filter(({ status }) => status !== "ended");
  }

  async removePlace(session: Session): Promise<void> {
    await this.table.delete(entryKey(entryOfSession(session)));
  }
}
