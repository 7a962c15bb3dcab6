import type { TrajectoryList } from "../../../../../shared/contract/trajectory/trajectory.ts";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { hrefOf } from "../../shell/place.ts";
import { TrajectoryMarks } from "./trajectory-marks.tsx";

export function TrajectoryCard({ trajectory }: { readonly trajectory: TrajectoryList["items"][number] }) {
  const { id, name, created_at, run_id } = trajectory;
  return (
    <li class="card">
      <h3>
        <a href={hrefOf("trajectories", id)}>{name || "Without a name"}</a>
      </h3>
      <p class="card-tags">
        <TrajectoryMarks trajectory={trajectory} />
      </p>
      <p class="card-facts">
        <span>
          made <RelativeTime at={created_at} />
          {run_id ? " of a run" : ""}
        </span>
      </p>
    </li>
  );
}
