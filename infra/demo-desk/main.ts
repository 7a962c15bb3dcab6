import { UsageError } from "../driver/driver-arguments.ts";
import { runDriverProgram } from "../driver/driver-program.ts";

const args = process.argv.slice(2);
// Shell commands would run on the real computer, which nobody expects of a simulated display.
const shell = args.includes("--allow-shell") || args.includes("--no-shell") ? [] : ["--no-shell"];

await runDriverProgram([...args, ...shell], async (given) => {
  if (given.desktop.kind === "forward" || given.desktop.programsFile !== undefined) {
    throw new UsageError(
      "--forward and --programs do not go with the demo desk, which has a program of its own",
    );
  }
  const [{ runDriver }, { DeskOptions }, { SimulatedScreen }, { createExport }] = await Promise.all([
    import("../driver/run-driver.ts"),
    import("./desk-options.ts"),
    import("./simulated-screen.ts"),
    import("./write-export.ts"),
  ]);
  const desk = DeskOptions.parse(JSON.parse(process.env.DEMO_DESK ?? "{}"));
  return await runDriver(given, (files) => new SimulatedScreen({ desk, exportTo: createExport(files) }));
});
