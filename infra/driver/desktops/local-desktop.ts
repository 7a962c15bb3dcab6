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
