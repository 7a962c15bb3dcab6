import { screenSettledHeader } from "../../../shared/contract/computer/computer.ts";
import { driverCapabilities, ifNoneMatch, notModified } from "../../../shared/vocabulary/drivers.ts";
import { jsonAnswer } from "../answer.ts";
import type { Desktop } from "../desktop.ts";
import { parseTags } from "../screens/picture-tag.ts";
import type { Screen, ScreenActions } from "../screens/screen.ts";
import type { ShellUser } from "../shell-user.ts";
import { type BatchScreen, createBatchRoute } from "./batch-route.ts";
import {
  desktopOperations,
  findServed,
  isScreenOperation,
  type Route,
  type ScreenOperation,
  serve,
} from "./desktop-operations.ts";
import { createFileRoutes } from "./file-routes.ts";
import { createShellRoute } from "./shell-route.ts";
import { createTurn, type Turn } from "./turn.ts";

export interface LocalDesktopOptions {
  readonly screen: Screen;
  /** Only the shell can reach files outside this folder. */
  readonly root: string;
  /** Requests for files never reach the driver's own files and folders. @default none */
  readonly ownFiles?: readonly string[];
  readonly allowShell: boolean;
  /** @default the driver's user */
  readonly shellUser?: ShellUser | undefined;
}

export function createLocalDesktop(options: LocalDesktopOptions): Desktop {
  const { screen, root, ownFiles = [], allowShell, shellUser } = options;
  const inTurn = createTurn();
  const routes = [
    ...createScreenRoutes(screen, inTurn),
    createBatchRoute(batchScreenOf(screen), inTurn),
    ...createFileRoutes({ root, own: ownFiles }),
    createShellRoute({ folder: root, isAllowed: allowShell, user: shellUser }),
  ];
  return {
    osInfo: screen.osInfo,
    programs: screen.programs,
    capabilities: [...routes.map(({ path }) => path), ...driverCapabilities],
    handle: async (request) => await findServed(routes, request).handle(request),
    releaseHeld: () => inTurn(() => screen.releaseHeld()),
  };
}

function screenshotRoute(screen: Screen): Route {
  return serve("takeScreenshot", async (input, { headers, signal }) => {
    const unless = parseTags(headers[ifNoneMatch]);
    const { etag, screenshot } = await screen.watch({ ...input, unless }, signal);
    if (screenshot === undefined) return { status: notModified, headers: { etag }, body: new Uint8Array() };
    const { png, isSettled } = screenshot;
    const own = {
      etag,
      "content-type": "image/png",
      "content-length": String(png.byteLength),
      ...(input.settle_ms > 0 && { [screenSettledHeader.toLowerCase()]: String(isSettled) }),
    };
    return { status: 200, headers: own, body: png };
  });
}

function createScreenRoutes(screen: Screen, inTurn: Turn): readonly Route[] {
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

const wholeNow = { width: undefined, height: undefined, wait_ms: 0 } as const;

function batchScreenOf(screen: Screen): BatchScreen {
  const actions: ScreenActions = screen;
  return {
    act: async (id, input, signal) => await actions[id](input as never, signal),
    show: (look, signal) => screen.takeScreenshot({ ...look, ...wholeNow }, signal),
  };
}
