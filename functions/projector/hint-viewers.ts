import type { ChangeOf } from "../../shared/domain/live/change.ts";
import { type NoteChangesDeps, noteChanges } from "../../shared/domain/live/note-changes.ts";
import type { Logger } from "../../shared/domain/logger.ts";

export interface HintViewersDeps<R> extends NoteChangesDeps {
  readonly readHintedChanges: (record: R) => readonly ChangeOf[];
  readonly isPassing: (cause: unknown) => boolean;
  readonly logger: Logger;
}

/**
 * A failure that no repeat helps loses the hints and nothing else: what only people look at sets no record aside.
 *
 * @param attempt as in `keepLines`
 */
export async function hintViewers<R>(
  deps: HintViewersDeps<R>,
  records: readonly R[],
  attempt: (about: readonly R[], work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  await attempt(records, async () => {
    try {
      await noteChanges(deps, records.flatMap(deps.readHintedChanges));
    } catch (cause) {
      if (deps.isPassing(cause)) throw cause;
      deps.logger.error("hints were lost", { cause });
    }
  });
}
