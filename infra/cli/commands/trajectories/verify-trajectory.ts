import { downloadOption, watchRun } from "../../follow/watch-run.ts";
import { bodyOf, operationOf } from "../../operations/operation-command.ts";
import { show } from "../../output/show.ts";
import type { Command } from "../../program/command.ts";
import { sentences } from "../../terminal/sentences.ts";
import { bodyOptionsOf, inputOption, watchOption, withInputs } from "../runs/run-options.ts";

export const verifyTrajectoryCommand: Command = {
  noun: "trajectories",
  verb: "verify",
  summary: "Replays a trajectory twice, to see whether it leads where it should",
  description:
    "It does the work again, on the desktop that it gets. Other inputs than the recorded ones verify it",
  arguments: [{ name: "trajectory_id", text: "The trajectory's id." }],
  options: [inputOption, watchOption, downloadOption, ...bodyOptionsOf("verifyTrajectory", [])],
  examples: ["das trajectories verify TRAJECTORY_ID --input customer=Jones --watch"],
  operations: ["verifyTrajectory"],
  run: async (context, given) => {
    const { body: fields = [] } = operationOf("verifyTrajectory");
    const body = await bodyOf(fields, withInputs(given), context);
    const [trajectory_id = ""] = given.words;
    const { client } = await context.connect();
    const { signal, terminal, form } = context;
    const made = await client.call("verifyTrajectory", {
      path: { trajectory_id },
      body: body as never,
      signal,
    });
    terminal.err(sentences([made.warning, ...made.warnings]));
    if (given.options.watch !== true) return void show(context, made.run, "createRun");
    if (form === "table") terminal.out(`run ${made.run.id}\n`);
    return await watchRun(context, made.run.id, given.options.download);
  },
};
