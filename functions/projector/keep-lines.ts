import type { AuditEvent } from "../../shared/domain/audit/act.ts";
import type { LineStore } from "../../shared/domain/audit/line-store.ts";
import type { RequestLog } from "../../shared/domain/audit/request-log.ts";

export interface KeepLinesDeps<R> {
  readonly readAuditEvent: (record: R) => AuditEvent | undefined;
  readonly readRequestLog: (record: R) => RequestLog | undefined;
  readonly auditLog: Pick<LineStore<AuditEvent, unknown>, "append">;
  readonly requestLog: Pick<LineStore<RequestLog, unknown>, "append">;
}

/** @param attempt processes some records; the stream delivers them again if it fails. */
export async function keepLines<R>(
  deps: KeepLinesDeps<R>,
  records: readonly R[],
  attempt: (about: readonly R[], work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const keep = async <Line extends { readonly organizationId: string }>(
    read: (record: R) => Line | undefined,
    log: { append(lines: readonly Line[]): Promise<void> },
  ) => {
    const found: { readonly record: R; readonly line: Line }[] = [];
    for (const record of records) {
      await attempt([record], async () => {
        const line = read(record);
        if (line) found.push({ record, line });
      });
    }
    // One organization's lines do not wait for another's.
    const groups = Map.groupBy(found, ({ line }) => line.organizationId);
    const kept = [...groups.values()].map(async (group) => {
      const about = group.map(({ record }) => record);
      await attempt(about, async () => await log.append(group.map(({ line }) => line)));
    });
    await Promise.all(kept);
  };
  await Promise.all([keep(deps.readAuditEvent, deps.auditLog), keep(deps.readRequestLog, deps.requestLog)]);
}
