import { type App, Validations } from "aws-cdk-lib/core";
import { AwsSolutionsChecks } from "cdk-nag/lib/packs/aws-solutions.js";

/** Has synthesis judged by cdk-nag's AwsSolutions rules; one finding that no suppression explains fails it. */
export function checkWithNag(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app, { verbose: true }));
}
