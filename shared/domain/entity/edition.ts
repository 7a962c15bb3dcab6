import { DomainError } from "../errors.ts";

/** Each write of a person raises the edition of what it changes; pings, runs and the service itself do not. */
export interface Edited {
  readonly edition: number;
}

/** A person's write. */
export interface Edit {
  /** The write requires that the edition is one of these; undefined allows any. */
  readonly ifEdition?: readonly number[] | undefined;
}

/** HTTP's entity tag of an edition. */
export function tagOf(edition: number): string {
  return `"${edition}"`;
}

/** Somebody has edited the resource since the caller read it, so nothing was done. */
export class ChangedMeanwhile extends DomainError {
  readonly tag: string;

  constructor(edition: number) {
    const tag = tagOf(edition);
    super("changed_meanwhile", `the resource has been edited since: its ETag is ${tag} now; read it again`, {
      details: { etag: tag },
    });
    this.tag = tag;
  }
}

/** A missing or deleted resource has no edition, and is another refusal's. @throws {ChangedMeanwhile} */
export function requireEdition(
  current: (Partial<Edited> & { readonly deletedAt?: string | null }) | undefined,
  { ifEdition }: Edit,
): void {
  if (ifEdition === undefined || current === undefined || (current.deletedAt ?? null) !== null) return;
  const { edition = 0 } = current;
  if (!ifEdition.includes(edition)) throw new ChangedMeanwhile(edition);
}
