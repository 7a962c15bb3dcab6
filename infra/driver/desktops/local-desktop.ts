import { driverCapabilities } from "../../../shared/vocabulary/drivers.ts";
import type { Desktop } from "../desktop.ts";
import type { Screen } from "../screens/screen.ts";
import type { ShellUser } from "../shell-user.ts";
import { createBatchRoute } from "./batch-route.ts";
import { findServed } from "./desktop-operations.ts";
import { createFileRoutes } from "./file-routes.ts";
import { batchScreenOf, createScreenRoutes } from "./screen-routes.ts";
import { createShellRoute } from "./shell-route.ts";
import { createTurn } from "./turn.ts";

export interface LocalDesktopOptions {
  readonly screen: Screen;
  /** The folder that files are read and written in; nothing outside it can be reached, but by the shell. */
  readonly root: string;
  /** The driver's own files and folders, which no request for files reaches. @default none */
  readonly ownFiles?: readonly string[];
  readonly allowShell: boolean;
  /** The user that shell commands run as. @default the driver's user */
  readonly shellUser?: ShellUser | undefined;
}

/** This machine: a screen, its files, its shell. */
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
