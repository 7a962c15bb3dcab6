import * as z from "zod";

export const AuditExceptions = z.array(
  z.strictObject({
    /** `GHSA-…`, the last part of the advisory's address. */
    advisory: z.string().regex(/^GHSA(-[0-9a-z]{4}){3}$/),
    /** The last day, UTC. */
    until: z.iso.date(),
    reason: z.string().min(20),
  }),
);
export type AuditExceptions = z.output<typeof AuditExceptions>;

const AuditReport = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({
      via: z.array(
        // A name stands for a package whose own entry has the advisory.
        z.union([
          z.string(),
          z.object({ name: z.string(), title: z.string(), url: z.url(), severity: z.string() }),
        ]),
      ),
    }),
  ),
});

export interface Advisory {
  readonly id: string;
  readonly packageName: string;
  readonly severity: string;
  readonly title: string;
}

export interface AuditVerdict {
  /** Advisories for packages that run in production, without an exception today. */
  readonly failing: readonly Advisory[];
  /** Advisories with an exception, or for packages that only build and test. */
  readonly reported: readonly Advisory[];
  /** Exceptions that no advisory needs any more. */
  readonly unused: readonly string[];
}

/** The advisories of a report; undefined where the registry has none to compare with. */
export function readAdvisories(report: unknown): readonly Advisory[] | undefined {
  const parsed = AuditReport.safeParse(report);
  if (!parsed.success) return undefined;
  const all = Object.values(parsed.data.vulnerabilities).flatMap(({ via }) =>
    via.flatMap((cause) =>
      typeof cause === "string"
        ? []
        : [
            {
              id: cause.url.split("/").at(-1) ?? cause.url,
              packageName: cause.name,
              severity: cause.severity,
              title: cause.title,
            },
          ],
    ),
  );
  return [...new Map(all.map((advisory) => [advisory.id, advisory])).values()];
}

/** @param today UTC, `YYYY-MM-DD`. */
export function judgeAudit(
  { all, ofProduction }: { readonly all: readonly Advisory[]; readonly ofProduction: readonly Advisory[] },
  exceptions: AuditExceptions,
  today: string,
): AuditVerdict {
  const excepted = new Set(exceptions.filter(({ until }) => until >= today).map(({ advisory }) => advisory));
  const failing = ofProduction.filter(({ id }) => !excepted.has(id));
  const failingIds = new Set(failing.map(({ id }) => id));
  const known = new Set(all.map(({ id }) => id));
  return {
    failing,
    reported: all.filter(({ id }) => !failingIds.has(id)),
    unused: exceptions.map(({ advisory }) => advisory).filter((id) => !known.has(id)),
  };
}
