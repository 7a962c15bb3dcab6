import { describedOperations } from "../operations/described-operations.ts";
import { commandOf } from "../operations/operation-command.ts";
import type { Command } from "../program/command.ts";
import { apiCommand } from "./api.ts";
import { completionCommand } from "./completion.ts";
import { loginCommand } from "./login.ts";
import { logoutCommand } from "./logout.ts";
import {
  clickCommand,
  dragCommand,
  keyCommand,
  scrollCommand,
  typeCommand,
} from "./machines/act-on-machine.ts";
import { execCommand } from "./machines/exec-on-machine.ts";
import { screenshotCommand } from "./machines/screenshot.ts";
import { watchMachinesCommand } from "./machines/watch-machines.ts";
import { mcpCommand } from "./mcp/mcp.ts";
import { profilesCommand } from "./profiles.ts";
import { createRunCommand } from "./runs/create-run.ts";
import { watchRunCommand } from "./runs/watch-run.ts";
import { approveTrajectoryCommand } from "./trajectories/approve-trajectory.ts";
import { recordTrajectoryCommand } from "./trajectories/record-trajectory.ts";
import { verifyTrajectoryCommand } from "./trajectories/verify-trajectory.ts";
import { versionCommand } from "./version.ts";
import { listenCommand } from "./webhooks/listen.ts";
import { whoamiCommand } from "./whoami.ts";

/** Commands written by hand. One with the name of a derived command replaces it. */
const ownCommands: readonly Command[] = [
  loginCommand,
  logoutCommand,
  profilesCommand,
  whoamiCommand,
  apiCommand,
  versionCommand,
  completionCommand,
  createRunCommand,
  watchRunCommand,
  screenshotCommand,
  watchMachinesCommand,
  typeCommand,
  keyCommand,
  clickCommand,
  scrollCommand,
  dragCommand,
  execCommand,
  approveTrajectoryCommand,
  recordTrajectoryCommand,
  verifyTrajectoryCommand,
  listenCommand,
  mcpCommand,
];

/** Every operation of the contract has a command; that written by hand comes before that derived. */
export function allCommands(): readonly Command[] {
  const own = new Set(ownCommands.map(nameOf));
  return [...ownCommands, ...describedOperations.map(commandOf).filter((each) => !own.has(nameOf(each)))];
}

function nameOf({ noun, verb }: Command): string {
  return `${noun} ${verb}`;
}
