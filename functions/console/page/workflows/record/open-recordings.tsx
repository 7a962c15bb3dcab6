import { useCall } from "../../data/use-call.ts";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { Status } from "../../parts/status.tsx";
import { hrefOf } from "../../shell/place.ts";
import { countOf } from "../count-of.ts";

/** Recordings that can still be finished. */
export function OpenRecordings() {
  const recordings = useCall("listRecordings", { query: { status: ["recording", "expired"], limit: 10 } });
  const open = recordings.data?.items ?? [];
  if (open.length === 0) return null;
  return (
    <section class="panel" aria-label="Recordings that are not finished">
      <h2>Not finished yet</h2>
      <ul class="last-runs">
        {open.map(({ id, status, created_at, element_count }) => (
          <li key={id}>
            <Status value={status} />
            <a href={hrefOf("recordings", id)}>
              begun <RelativeTime at={created_at} />
            </a>
            <small>{countOf(element_count, "step")}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}
