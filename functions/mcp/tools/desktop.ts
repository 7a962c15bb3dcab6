import { refusalText } from "../refusal-text.ts";
import type { ToolHandlers } from "../tool-handlers.ts";
import { onScreen, takePicture } from "./picture.ts";

export const desktopHandlers: ToolHandlers<"look" | "act"> = {
  look: async ({ api }, { machine_id, ...query }) => {
    const { view, picture } = await takePicture(api, machine_id, query);
    return { structured: { view }, content: [picture] };
  },
  act: async ({ api, apiOnce }, { machine_id, actions, view, settle_ms, picture }) => {
    const placed = view === undefined ? actions : actions.map((action) => onScreen(action, view));
    const { results } = await apiOnce.call("performBatch", {
      path: { machine_id },
      body: { actions: placed },
    });
    const isError = results.some(({ status }) => status !== "done");
    if (!picture) return { structured: { results, view: null }, isError };
    try {
      const seen = await takePicture(api, machine_id, { settle_ms, cursor: false });
      return { structured: { results, view: seen.view }, content: [seen.picture], isError };
    } catch (error) {
      const note = refusalText(error);
      if (note === undefined) throw error;
      // The actions are done: a failure of the look must not read like one of theirs.
      return { structured: { results, view: null, note: `no picture: ${note}` }, isError };
    }
  },
};
