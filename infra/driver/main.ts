import { runDriverProgram } from "./driver-program.ts";

await runDriverProgram(process.argv.slice(2), async (given) => {
  const { runDriver } = await import("./run-driver.ts");
  return await runDriver(given);
});
