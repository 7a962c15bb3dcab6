import { pngCodec } from "../../../shared/pictures/png-codec.ts";
import { decideByLooking } from "./looking-model.ts";
import type { Decide } from "./wire-format.ts";

/** The looking model over the wire, for one conversation: its task is told first, and a result does not say of what it is. */
export function decideByPicture(): Decide {
  let task = "";
  return ({ turns, words, picture, results }) => {
    if (turns === 0) task = words;
    if (picture === undefined) throw new Error("a model was sent no picture");
    const named = results.map((result) => ({
      ...result,
      toolName: result.text.startsWith("Saved as {order_number") ? "copy_to_clipboard" : "another",
    }));
    const seen = { task, picture: pngCodec.decode(picture.png), results: named };
    const { name: call, args } = decideByLooking(seen);
    return [{ call, args }];
  };
}
