import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/**
 * Files share a worker and the modules that it has loaded, which saves most of their time; so a test must leave nothing
 * behind. What vitest has changed for it is put back, and `npm run unit` takes files and tests in any order.
 */
const together = {
  isolate: false,
  pool: "threads" as const,
  restoreMocks: true,
  unstubGlobals: true,
  setupFiles: ["test/support/leave-nothing.ts"],
};

const root = fileURLToPath(new URL("..", import.meta.url));

/** One stack is for both projects; what takes a second to import is imported once a worker. */
const withStack = {
  globalSetup: ["test/support/stack/stack-setup.ts"],
  testTimeout: 120_000,
  hookTimeout: 240_000,
  isolate: false,
};

const drivers = "test/integration/driver/**/*.test.ts";
const longer = { testTimeout: 60_000, hookTimeout: 120_000 };

/** One project a kind of test; `npm run unit` runs the first two, `npm run stacks` and `npm run executions` one each, `npm test` all of them. */
export default defineConfig({
  root,
  test: {
    root,
    environment: "node",
    // The default leaves a processor to the main process, which has little to do.
    maxWorkers: availableParallelism(),
    projects: [
      // Seconds alone, more beside other work: a test that hangs is what this is for, not one that is slow.
      {
        extends: true,
        test: { ...together, name: "unit", include: ["test/unit/**/*.test.ts"], testTimeout: 30_000 },
      },
      {
        extends: true,
        test: { ...together, name: "contract", include: ["test/contract/**/*.test.ts"], testTimeout: 30_000 },
      },
      {
        extends: true,
        test: { ...together, name: "stacks", include: ["test/stacks/**/*.test.ts"], testTimeout: 60_000 },
      },
      // Whole runs in memory, on screens that are drawn and searched.
      {
        extends: true,
        test: { ...together, name: "execution", include: ["test/execution/*.test.ts"], testTimeout: 120_000 },
      },
      {
        extends: true,
        test: { name: "simulation", include: ["test/simulation/**/*.test.ts"], testTimeout: 1_800_000 },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["test/integration/**/*.test.ts"],
          exclude: [drivers],
          globalSetup: ["test/support/dynamodb-local-setup.ts"],
          // Half of their time was the import of what another file had imported.
          isolate: false,
          ...longer,
        },
      },
      // Programs and displays of their own, whose ends are seen to by their process.
      { extends: true, test: { name: "driver", include: [drivers], ...longer } },
      { extends: true, test: { ...withStack, name: "e2e", include: ["test/e2e/*.test.ts"] } },
      {
        // What counts the calls of the stack or makes them fail: one file after another, when all else is done.
        extends: true,
        test: {
          ...withStack,
          name: "e2e-alone",
          include: ["test/e2e/alone/*.test.ts"],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // Compares what the stack's functions may do with what all the tests above have made them do.
        extends: true,
        test: {
          ...withStack,
          name: "e2e-grants",
          include: ["test/e2e/grants/*.test.ts"],
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
