import { computerOperations } from "./computer-operations.ts";
import { connectionOperations } from "./connection-operations.ts";
import { docsOperations } from "./docs-operations.ts";
import { driverOperations } from "./driver-operations.ts";
import { healthOperations } from "./health-operations.ts";
import { machineOperations } from "./machine-operations.ts";
import { poolOperations } from "./pool-operations.ts";
import { providerCredentialOperations } from "./provider-credential-operations.ts";
import { runAttachmentOperations } from "./run-attachment-operations.ts";
import { runOperations } from "./run-operations.ts";
import { trajectoryOperations } from "./trajectory-operations.ts";
import { workflowOperations } from "./workflow-operations.ts";
import { workflowTagOperations } from "./workflow-tag-operations.ts";

/** Every operation of the API: exactly the routes of the apps, which `test/unit/openapi` compares. */
export const allOperations = [
  ...healthOperations,
  ...machineOperations,
  ...poolOperations,
  ...workflowOperations,
  ...workflowTagOperations,
  ...computerOperations,
  ...connectionOperations,
  ...providerCredentialOperations,
  ...runOperations,
  ...runAttachmentOperations,
  ...trajectoryOperations,
  ...driverOperations,
  ...docsOperations,
] as const;
