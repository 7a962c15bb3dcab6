import { screenSettledHeader } from "../../../shared/contract/computer/computer.ts";
import { jsonAnswer } from "../answer.ts";
import type { Screen, ScreenActions } from "../screens/screen.ts";
import type { BatchScreen } from "./batch-route.ts";
import {
  desktopOperations,
  isScreenOperation,
  type Route,
  type ScreenOperation,
  serve,
} from "./desktop-operations.ts";
import type { Turn } from "./turn.ts";

function screenshotRoute(screen: Screen): Route {
  return serve("takeScreenshot", async (input, { signal }) => {
    const { png, isSettled } = await screen.takeScreenshot(input, signal);
    const headers = {
      "content-type": "image/png",
      "content-length": String(png.byteLength),
      ...(input.settle_ms > 0 && { [screenSettledHeader.toLowerCase()]: String(isSettled) }),
    };
    return { status: 200, headers, body: png };
  });
}

export function createScreenRoutes(screen: Screen, inTurn: Turn): readonly Route[] {
  const actions: ScreenActions = screen;

  function route<Id extends ScreenOperation["id"]>(id: Id, isLooking: boolean): Route {
    return serve(id, async (input, { signal }) => {
      if (isLooking) return jsonAnswer(200, await actions[id](input, signal));
      return await inTurn(async () => {
        signal.throwIfAborted();
        return jsonAnswer(200, (await actions[id](input, signal)) ?? {});
      });
    });
  }

  return desktopOperations
    .filter(isScreenOperation)
    .map(({ id, method }) =>
      id === "takeScreenshot" ? screenshotRoute(screen) : route(id, method === "GET"),
    );
}

export function batchScreenOf(screen: Screen): BatchScreen {
  const actions: ScreenActions = screen;
  return {
    act: async (id, input, signal) => await actions[id](input as never, signal),
    show: (look, signal) => screen.takeScreenshot({ ...look, width: undefined, height: undefined }, signal),
  };
}
