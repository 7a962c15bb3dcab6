import type { ContentBlock } from "@modelcontextprotocol/server";
import type { View } from "../../../shared/contract/assistant/desktop-tools.ts";
import type { CallersApi } from "../tool-handlers.ts";

/** Models see no more of a larger picture, and point less exactly. */
const pictureSideMax = 1_280;

export interface Seen {
  readonly view: View;
  readonly picture: ContentBlock;
}

export async function takePicture(
  api: CallersApi,
  machine_id: string,
  query: { readonly settle_ms: number; readonly cursor: boolean },
): Promise<Seen> {
  const path = { machine_id };
  const screen = await api.call("getDisplayDimensions", { path });
  const scale = Math.min(1, pictureSideMax / Math.max(screen.width, screen.height));
  const picture = {
    width: Math.max(1, Math.round(screen.width * scale)),
    height: Math.max(1, Math.round(screen.height * scale)),
  };
  const size = scale < 1 ? picture : {};
  const png = await api.call("takeScreenshot", { path, query: { ...query, ...size } });
  return { view: { screen, picture }, picture: pictureOf(png) };
}

export function pictureOf(png: Uint8Array): ContentBlock {
  return { type: "image", data: Buffer.from(png).toString("base64"), mimeType: "image/png" };
}

const across = ["x", "start_x", "to_x"];
const down = ["y", "start_y", "to_y"];

/** A place of the picture becomes the place of the screen that it shows. */
export function onScreen<Action extends object>(action: Action, { screen, picture }: View): Action {
  const factors = [
    { names: across, factor: screen.width / picture.width },
    { names: down, factor: screen.height / picture.height },
  ];
  const placed = { ...action } as Record<string, unknown>;
  for (const { names, factor } of factors) {
    for (const name of names) {
      const value = placed[name];
      if (typeof value === "number") placed[name] = Math.round(value * factor);
    }
  }
  return placed as Action;
}
