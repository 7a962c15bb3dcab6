import type { ViewerDismissal } from "../../vocabulary/live.ts";
import { forEachBounded } from "../bounded-parallel.ts";
import type { SocketDismissal } from "../tunnel/socket-dismissal.ts";
import type { ViewerPlace } from "./viewer.ts";
import type { ViewerStore } from "./viewer-store.ts";

export interface EndViewersDeps {
  readonly viewers: Pick<ViewerStore, "listEnded" | "remove">;
  readonly dismissal: SocketDismissal;
}

const viewersPerRun = 200;

/** Ends the viewers whose session has ended. */
export async function endViewers(deps: EndViewersDeps): Promise<number> {
  return await dismissViewers(deps, await deps.viewers.listEnded(viewersPerRun), "expired");
}

/** The goodbye is sent first: while the row is there, the next sweep finds it. */
export async function dismissViewers(
  {
    viewers,
    dismissal,
  }: { readonly viewers: Pick<ViewerStore, "remove">; readonly dismissal: SocketDismissal },
  places: readonly ViewerPlace[],
  reason: ViewerDismissal,
): Promise<number> {
  return await forEachBounded(places, async (place) => {
    await dismissal.dismiss(place.websocketId, reason);
    await viewers.remove(place);
  });
}
