import { jsonAnswer } from "../answer.ts";
import type { Answer } from "../desktop.ts";
import type { Screen, ScreenActions } from "../screens/screen.ts";
import {
  desktopOperations,
  isScreenOperation,
  type Route,
  type ScreenOperation,
  serve,
} from "./desktop-operations.ts";
import type { Turn } from "./turn.ts";

function answerOf(result: unknown): Answer {
  if (!(result instanceof Uint8Array)) return jsonAnswer(200, result ?? {});
  const headers = { "content-type": "image/png", "content-length": String(result.byteLength) };
  return { status: 200, headers, body: result };
}

/** The display, mouse, keyboard and clipboard of the API, on any screen; what acts on it waits for its turn. */
export function createScreenRoutes(screen: Screen, inTurn: Turn): readonly Route[] {
  const actions: ScreenActions = screen;

  function route<Id extends ScreenOperation["id"]>(id: Id, isLooking: boolean): Route {
    return serve(id, async (input, { signal }) => {
      if (isLooking) return answerOf(await actions[id](input, signal));
      return await inTurn(async () => {
        signal.throwIfAborted();
        return answerOf(await actions[id](input, signal));
      });
    });
  }

  return desktopOperations.filter(isScreenOperation).map(({ id, method }) => route(id, method === "GET"));
}
