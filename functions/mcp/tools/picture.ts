import type { ContentBlock } from "@modelcontextprotocol/server";
import type { View } from "../../../shared/contract/assistant/desktop-tools.ts";
import { withPoints } from "../../../shared/domain/action/action.ts";
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

/** A place of the picture becomes the place of the screen that it shows. */
export function onScreen<Action extends object>(action: Action, { screen, picture }: View): Action {
  const [across, down] = [screen.width / picture.width, screen.height / picture.height];
  return withPoints(
    action,
    (x) => Math.round(x * across),
    (y) => Math.round(y * down),
  );
}
