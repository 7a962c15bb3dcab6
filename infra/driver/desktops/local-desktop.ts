import { driverCapabilities } from "../../../shared/contract/tunnel.ts";
import type { Desktop } from "../desktop.ts";
import type { Screen } from "../screens/screen.ts";
import { findServed } from "./desktop-operations.ts";
import { createFileRoutes } from "./file-routes.ts";
import { createScreenRoutes } from "./screen-routes.ts";
import { createShellRoute } from "./shell-route.ts";
import { createTurn } from "./turn.ts";

export interface LocalDesktopOptions {
  readonly screen: Screen;
  /** The folder that files are read and written in; nothing outside it can be reached, but by the shell. */
  readonly root: string;
  /** The driver's own files and folders, which no request for files reaches. @default none */
  readonly ownFiles?: readonly string[];
  readonly allowShell: boolean;
}

/** This machine: a screen, its files, its shell. */
export function createLocalDesktop(options: LocalDesktopOptions): Desktop {
  const { screen, root, ownFiles = [], allowShell } = options;
  const inTurn = createTurn();
  const routes = [
    ...createScreenRoutes(screen, inTurn),
    ...createFileRoutes({ root, own: ownFiles }),
    createShellRoute({ folder: root, isAllowed: allowShell }),
  ];
  return {
    osInfo: screen.osInfo,
    capabilities: [...routes.map(({ path }) => path), ...driverCapabilities],
    handle: async (request) => await findServed(routes, request).handle(request),
    releaseHeld: () => inTurn(() => screen.releaseHeld()),
  };
}
