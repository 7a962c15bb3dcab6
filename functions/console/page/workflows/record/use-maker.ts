import type { Recording } from "../../../../../shared/contract/recording.ts";
import { useService } from "../../data/service.ts";
import { holderWords, isHolder, mayTakeOver } from "../../parts/holder.ts";

interface Maker {
  /** While it is under way, its maker alone acts on the desktop. */
  readonly isMaker: boolean;
  readonly mayEnd: boolean;
  /** Such as "the person 6c39…". */
  readonly words: string;
}

export function useMaker(recording: Recording): Maker {
  const { caller } = useService();
  const isMaker = isHolder(recording, caller);
  return {
    isMaker,
    mayEnd: isMaker || mayTakeOver(caller) || recording.status === "expired",
    words: holderWords(recording, caller),
  };
}
