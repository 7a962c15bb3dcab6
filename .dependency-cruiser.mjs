/**
 * The direction of imports (ARCHITECTURE.md, "Direction"). `test/unit/boundaries` plants a violation of each
 * rule and expects it to be found.
 */
const aws = "node_modules/@(aws-sdk|smithy)/";

export default {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-circular-storage-folders",
      comment: "an entity's folder may use another's, never both each other's",
      severity: "error",
      scope: "folder",
      from: { path: "^shared/storage/" },
      to: { path: "^shared/storage/", circular: true },
    },
    {
      name: "no-circular-domain-folders",
      comment: "what two of the domain's folders share lies below both",
      severity: "error",
      scope: "folder",
      from: { path: "^shared/domain/[^/]+$" },
      to: { path: "^shared/domain/[^/]+$", circular: true },
    },
    {
      name: "no-circular-execution-folders",
      comment: "engine over start over replay over model over act over screen over step; files beside them",
      severity: "error",
      scope: "folder",
      from: { path: "^shared/domain/execution/[^/]+$" },
      to: { path: "^shared/domain/execution/[^/]+$", circular: true },
    },
    {
      name: "no-unresolvable",
      severity: "error",
      // These import clients that are made when they run.
      from: { pathNot: "^test/clients/programs/" },
      // Types alone: there is no package of that name to load.
      to: { couldNotResolve: true, pathNot: "^aws-lambda$" },
    },
    {
      name: "vocabulary-imports-nothing",
      comment: "lists and numbers that every layer may import",
      severity: "error",
      from: { path: "^shared/vocabulary/" },
      to: {},
    },
    {
      name: "domain-imports-vocabulary-only",
      comment: "rules and ports know no technology; reading a cron pattern is arithmetic of calendars",
      severity: "error",
      from: { path: "^shared/domain/", pathNot: "^shared/domain/schedule/occurrences\\.ts$" },
      to: { pathNot: "^shared/(domain|vocabulary)/" },
    },
    {
      name: "occurrences-import-croner-only",
      severity: "error",
      from: { path: "^shared/domain/schedule/occurrences\\.ts$" },
      to: { pathNot: ["^shared/(domain|vocabulary)/", "node_modules/croner/"] },
    },
    {
      name: "croner-in-occurrences-only",
      comment: "what a pattern means is decided in one place",
      severity: "error",
      from: {
        path: "^(functions|infra|shared)/",
        pathNot: "^shared/domain/schedule/occurrences\\.ts$",
      },
      to: { path: "node_modules/croner/" },
    },
    {
      name: "contract-imports-zod-and-vocabulary-only",
      severity: "error",
      from: { path: "^shared/contract/" },
      to: { pathNot: ["^shared/(contract|vocabulary)/", "node_modules/zod"] },
    },
    {
      name: "client-imports-contract-only",
      comment: "it runs wherever there is a fetch",
      severity: "error",
      from: { path: "^shared/client/" },
      to: { pathNot: ["^shared/(client|contract|vocabulary)/", "node_modules/zod"] },
    },
    {
      name: "http-imports-no-adapter",
      comment: "the pipeline speaks to ports; wiring is a function's index.ts",
      severity: "error",
      from: { path: "^shared/(http|present)/" },
      to: {
        path: [
          "^shared/(storage|secrets|files|events|execution|models|schema|pictures|tunnel|webhooks|runtime|aws)/",
          aws,
        ],
      },
    },
    {
      name: "adapters-import-no-transport",
      comment: "nor the wiring that hands them their clients",
      severity: "error",
      from: {
        path: "^shared/(storage|secrets|files|events|execution|models|schema|pictures|tunnel|webhooks|log|aws)/",
      },
      to: { path: ["^shared/(http|present|runtime)/", "^functions/", "^infra/"] },
    },
    {
      name: "sdk-in-adapters-only",
      severity: "error",
      from: {
        path: "^(functions|shared)/",
        pathNot: ["^shared/(storage|secrets|files|events|execution|tunnel|aws)/"],
      },
      to: { path: aws },
    },
    {
      name: "ajv-in-its-adapter-only",
      comment: "schemas of customers are checked within bounds, or not at all",
      severity: "error",
      from: { path: "^(functions|infra|shared)/", pathNot: "^shared/schema/" },
      to: { path: "node_modules/ajv" },
    },
    {
      name: "models-packages-in-their-adapter-only",
      comment: "what the providers' packages are like is nobody else's concern",
      severity: "error",
      from: { path: "^(functions|infra|shared)/", pathNot: "^shared/models/" },
      to: { path: "node_modules/(ai|@ai-sdk)/" },
    },
    {
      name: "functions-import-no-adapter-but-in-index",
      severity: "error",
      from: { path: "^functions/", pathNot: "/index\\.ts$" },
      to: {
        path: [
          "^shared/(storage|secrets|files|events|execution|models|schema|pictures|webhooks|runtime|aws)/",
        ],
      },
    },
    {
      name: "groups-do-not-import-each-other",
      severity: "error",
      from: { path: "^functions/([^/]+)/" },
      to: { path: "^functions/", pathNot: "^functions/$1/" },
    },
    {
      name: "console-page-imports-client-and-contract-only",
      comment: "it runs in a browser, and knows of the service what its customers know",
      severity: "error",
      from: { path: "^functions/console/page/" },
      to: {
        pathNot: [
          "^functions/console/page/",
          "^shared/(client|contract|vocabulary)/",
          "node_modules/(preact|oauth4webapi)/",
        ],
      },
    },
    {
      name: "page-in-browsers-only",
      comment: "the function serves what was built of it",
      severity: "error",
      from: { path: "^(functions|infra|shared)/", pathNot: "^functions/console/page/" },
      to: { path: "^functions/console/page/" },
    },
    {
      name: "infra-imports-contract-only",
      comment:
        "of what runs in Lambda, infra reads the vocabulary, the wire, since API Gateway's routes are the contract's operations, the patterns of the table's keys, which roles are granted by, how a bundle is loaded and with which variables, for its code cache, what hashes for signatures, what writes a PNG, for the driver, how an address is made, for the reference's samples, and the colours of its pages",
      severity: "error",
      from: {
        path: "^infra/",
        pathNot: "^infra/(cells|cli|clients/typescript|keys|local/demo|repair|restore|smoke|synthetic|why)/",
      },
      to: {
        path: "^(functions|shared)/",
        pathNot: [
          "^shared/(contract|vocabulary)/",
          "^shared/storage/table/key-patterns\\.ts$",
          "^shared/aws/sha256\\.ts$",
          "^shared/runtime/(code-cache|environment)\\.ts$",
          "^shared/pictures/write-png\\.ts$",
          "^shared/client/build-request\\.ts$",
          "^shared/page/",
        ],
      },
    },
    {
      name: "smoke-imports-client-only",
      comment: "it knows of the service what its customers know",
      severity: "error",
      from: { path: "^infra/(local/demo|smoke|synthetic)/" },
      to: { path: "^(functions|shared)/", pathNot: "^shared/(client|contract)/" },
    },
    {
      name: "cli-imports-client-and-contract-only",
      comment: "it runs elsewhere, and knows of the service what its customers know",
      severity: "error",
      from: { path: "^infra/cli/" },
      to: {
        path: "^(functions|infra|shared|test)/",
        pathNot: "^(infra/cli|shared/(client|contract|vocabulary))/",
      },
    },
    {
      name: "published-client-imports-client-only",
      comment: "it is one file that runs in browsers, too",
      severity: "error",
      from: { path: "^infra/clients/typescript/[^/]+$", pathNot: "/sample-of\\.ts$" },
      to: { pathNot: "^(infra/clients/typescript|shared/(client|contract|vocabulary))/" },
    },
    {
      name: "key-patterns-import-nothing",
      comment: "infra reads them without the storage that they are about",
      severity: "error",
      from: { path: "^shared/storage/table/key-patterns\\.ts$" },
      to: {},
    },
    {
      name: "write-png-imports-zlib-only",
      comment: "the driver uses it, which has nothing else of what runs in Lambda",
      severity: "error",
      from: { path: "^shared/pictures/write-png\\.ts$" },
      to: { pathNot: "^(node:)?zlib$" },
    },
    {
      name: "pictures-in-their-thread-only",
      comment: "the driver's event loop answers pings: a screenshot's work would delay them",
      severity: "error",
      from: { path: "^infra/", pathNot: "/pictures/picture-worker\\.ts$" },
      to: { path: "/pictures/(draw-pointer|png|scale-frame)\\.ts$" },
    },
    {
      name: "demo-desk-in-the-local-stack-only",
      comment: "customers' desktops get the driver without it; the smoke test connects one",
      severity: "error",
      from: { path: "^infra/", pathNot: "^infra/(demo-desk|local|smoke)/" },
      to: { path: "^infra/demo-desk/" },
    },
    {
      name: "lambda-does-not-import-infra",
      severity: "error",
      from: { path: "^(functions|shared)/" },
      to: { path: ["^infra/", "^test/"] },
    },
    {
      name: "e2e-uses-public-addresses-only",
      severity: "error",
      from: { path: "^test/e2e/" },
      to: {
        path: [
          "^shared/(domain|storage|secrets|files|events|schema|pictures|tunnel|webhooks|http|log|runtime|aws|present)/",
          "^functions/",
        ],
      },
    },
    {
      name: "e2e-steers-the-stack-alone",
      comment: "counts and faults are the whole stack's: other tests would be counted, or fail",
      severity: "error",
      from: { path: "^test/e2e/", pathNot: "^test/e2e/alone/" },
      to: { path: "^test/support/stack/(aws-calls|faults)\\.ts$" },
    },
  ],
  options: {
    parser: "swc",
    doNotFollow: { path: "node_modules" },
    // Its parser has no JSX; `test/unit/console/page-imports.test.ts` holds the whole page to its rule.
    exclude: { path: "\\.tsx$" },
    enhancedResolveOptions: {
      extensions: [".ts", ".mjs", ".js", ".json"],
      conditionNames: ["import", "node", "default"],
      exportsFields: ["exports"],
    },
  },
};
