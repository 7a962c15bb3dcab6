import { pngCodec } from "../../../shared/pictures/png-codec.ts";
import { decideByLooking } from "./looking-model.ts";
import type { Decide } from "./wire-format.ts";

export const decideByPicture: Decide = ({ task, picture, results }) => {
  if (picture === undefined) throw new Error("a model was sent no picture");
  const { name: call, args } = decideByLooking({
    task,
    picture: pngCodec.decode(picture.png),
    // A result does not name its call.
    results: results.map(({ text, isError }) => ({
      toolName: text.startsWith("Saved as {order_number") ? "copy_to_clipboard" : "another",
      text,
      isError,
    })),
  });
  return [{ call, args }];
};
