import { useEffect } from "preact/hooks";
import { useService } from "../data/service.ts";
import { holderWords } from "../parts/holder.ts";
import { RelativeTime } from "../parts/relative-time.tsx";
import { hrefOf } from "../shell/place.ts";
import type { Hold } from "./machine-words.ts";

interface HeldMachineProps {
  readonly held: Hold;
  readonly isMine: boolean;
  readonly reload: () => Promise<void>;
}

/** Time for the service to have seen that a hold is over. */
const laterMs = 1_000;

/** Who has mouse and keyboard, until when, and where the work is done. */
export function HeldMachine({ held, isMine, reload }: HeldMachineProps) {
  const { caller } = useService();
  const { until, reason, run_id, recording_id } = held;
  // Nothing is written when a hold runs out, so that there is no hint.
  useEffect(() => {
    const timer = setTimeout(() => void reload(), Date.parse(until) - Date.now() + laterMs);
    return () => clearTimeout(timer);
  }, [until]);
  return (
    <section class="panel held" aria-labelledby="machine-held">
      <h2 id="machine-held">
        {isMine ? "You have mouse and keyboard" : "Somebody else has mouse and keyboard"}
      </h2>
      <p>
        Held by {holderWords(held, caller)}, until <RelativeTime at={until} />
        {reason === null ? "." : `: “${reason}”`}
        {isMine ? null : " Meanwhile nobody else acts on this desktop, uses its shell or its files."}
      </p>
      {run_id === null ? null : <a href={hrefOf("runs", run_id)}>The run that stands still</a>}
      {recording_id === null ? null : <a href={hrefOf("recordings", recording_id)}>The recording</a>}
    </section>
  );
}
