import { beginBundling } from "./bundle/bundling.ts";

// The bundler works while the CDK loads, so the CDK's modules must not be imported before.
const bundling = beginBundling();
try {
  const { synthesize } = await import("./synthesis.ts");
  await synthesize(bundling);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  // The bundler may still be at work, whose result nobody needs now.
  process.exit(1);
}
