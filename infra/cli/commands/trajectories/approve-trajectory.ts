import { show } from "../../output/show.ts";
import type { Command } from "../../program/command.ts";
import { sentences } from "../../terminal/sentences.ts";

export const approveTrajectoryCommand: Command = {
  noun: "trajectories",
  verb: "approve",
  summary: "Lets runs replay a trajectory",
  description: "What may be wrong with it is shown",
  arguments: [{ name: "trajectory_id", text: "The trajectory's id." }],
  options: [{ flags: "--main", text: "The workflow's runs replay this one from now on." }],
  examples: ["das trajectories approve TRAJECTORY_ID --main"],
  operations: ["updateTrajectory"],
  run: async (context, { words: [trajectory_id = ""], options }) => {
    const { client } = await context.connect();
    const body = { is_approved: true, ...(options.main === true ? { is_main: true } : {}) };
    const approved = await client.call("updateTrajectory", {
      path: { trajectory_id },
      body,
      signal: context.signal,
    });
    context.terminal.err(sentences(approved.warnings ?? []));
    const { id, name, workflow_id, is_approved, is_main, verified_at } = approved;
    const told = { id, name, workflow_id, is_approved, is_main, verified_at };
    show(context, context.form === "table" ? told : approved, "updateTrajectory");
    return undefined;
  },
};
