import { thumbnailSize } from "../../../shared/domain/picture/downscale.ts";
import { encodePng } from "../../../shared/pictures/encode-png.ts";

export function aPicture(width: number, height: number): string {
  const data = Uint8Array.from({ length: width * height * 3 }, (_, at) => (at * 7) % 251);
  return Buffer.from(encodePng({ width, height, data })).toString("base64");
}

export function aPiece(fields: Readonly<Record<string, unknown>> = {}) {
  const { width, height } = thumbnailSize;
  const thumbnail = aPicture(width, height);
  return { x: 10, y: 20, width: 64, height: 64, png: aPicture(64, 64), thumbnail, ...fields };
}

export function replayable() {
  const guard = aPiece({ width: 96, height: 48, png: aPicture(96, 48) });
  return [
    { action: { type: "click", x: 40, y: 50, target: "the field Name" }, anchor: aPiece() },
    { action: { type: "type", text: "{name}" }, guard },
    { action: { type: "key", text: "ctrl+c" } },
    { action: { type: "copy_to_clipboard", save_as: "copied" } },
    { action: { type: "finish", output: { who: "{copied}" } } },
  ];
}
