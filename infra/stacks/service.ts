import { SystemLogLevel } from "aws-cdk-lib/aws-lambda";
import { Duration, Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import type { ConsoleSignIn } from "../../shared/contract/console.ts";
import type { RouteGroup } from "../../shared/contract/operations/all-operations.ts";
import { durationSecondsMax } from "../../shared/contract/workflow.ts";
import { deliveryAttemptSeconds } from "../../shared/vocabulary/events.ts";
import {
  callsShareOf,
  executionsShareOf,
  looksShareOf,
  sendsShareOf,
  serviceExecutionsOf,
  waitsShareOf,
  warnWithoutConcurrency,
} from "../concurrency.ts";
import { CanaryReleases } from "../constructs/apis/canary-releases.ts";
import { EdgeDistribution } from "../constructs/apis/edge-distribution.ts";
import { OperationsApi } from "../constructs/apis/operations-api.ts";
import { TunnelApi } from "../constructs/apis/tunnel-api.ts";
import { encryptByCustomerKey } from "../constructs/customer-key.ts";
import type { DurableFunction } from "../constructs/durable-function.ts";
import { RouteGroupFunction } from "../constructs/route-group-function.ts";
import { DeploymentSecrets } from "../constructs/secrets/deployment-secrets.ts";
import type { ServiceFunction } from "../constructs/service-function.ts";
import { matchedChanges } from "../constructs/streams/matched-changes.ts";
import { projectedChanges } from "../constructs/streams/projected-changes.ts";
import { StreamConsumer } from "../constructs/streams/stream-consumer.ts";
import { SyntheticRun } from "../constructs/synthetic-run.ts";
import { Timer } from "../constructs/timer.ts";
import type { Settings } from "../settings.ts";
import type { EdgeStack } from "./edge.ts";
import { type RouteGroupOptions, ServiceFunctions, type ServiceFunctionsProps } from "./service-functions.ts";

export interface ServiceStackProps extends StackProps, Omit<ServiceFunctionsProps, "operationsApi"> {
  readonly edge: EdgeStack | undefined;
}

export class ServiceStack extends Stack {
  readonly operationsApi: OperationsApi;
  readonly tunnelApi: TunnelApi;
  readonly projections: StreamConsumer;
  readonly matches: StreamConsumer;
  readonly executor: DurableFunction;
  readonly webhookDeliverer: DurableFunction;
  readonly functions: ReadonlyMap<string, ServiceFunction>;
  readonly #props: ServiceStackProps;

  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    super(scope, id, props);
    this.addStackDependency(props.data, "imports the addresses of table, bucket, keys and event bus");
    this.#props = props;
    const { settings } = props;
    encryptByCustomerKey(this, settings.kmsKeyArn);
    warnWithoutConcurrency(this, settings.lambdaConcurrency);
    const { table, files, tunnelKey, idempotencyKey, dataKey, events } = props.data;
    const secrets = new DeploymentSecrets(this, "Secrets", settings);
    this.operationsApi = new OperationsApi(this, "OperationsApi", settings);
    this.tunnelApi = new TunnelApi(this, "TunnelApi", settings);
    const { operationsApi, tunnelApi } = this;
    const distribution = this.#distribution(operationsApi);
    const functions = new ServiceFunctions(this, { ...props, operationsApi });
    this.functions = functions.all;

    const accessGroup = (name: RouteGroup, props?: RouteGroupOptions) => {
      const group = functions.addRouteGroup(name, props);
      if (settings.edge === "require") distribution?.bindOrigin(group);
      dataKey.bindRead(group);
      group.set("JWT_ISSUER", settings.jwtIssuer);
      group.set("JWT_AUDIENCE", settings.jwtAudience);
      group.set("JWT_JWKS_URL", settings.jwtJwksUrl);
      group.set("JWT_MAX_AGE_SECONDS", String(settings.jwtMaxAgeSeconds));
      if (settings.jwtRolesClaim !== undefined) group.set("JWT_ROLES_CLAIM", settings.jwtRolesClaim);
      group.set("RATE_LIMIT_API_KEY", String(settings.apiKeyRateLimit));
      group.set("RATE_LIMIT_ORGANIZATION", String(settings.organizationRateLimit));
      return group;
    };
    const routeGroup = (name: RouteGroup, props?: RouteGroupOptions) => {
      const group = accessGroup(name, props);
      idempotencyKey.bindRead(group);
      return group;
    };
    const bindDrivers = (group: ServiceFunction) => {
      tunnelApi.bindConnections(group);
      tunnelKey.bindRead(group);
      const { organizationCallsMax, lambdaConcurrency } = settings;
      group.set("ORGANIZATION_CALLS_MAX", String(callsShareOf(organizationCallsMax, lambdaConcurrency)));
    };

    operationsApi.addDefaultRoute(functions.addRouteGroup("health"));
    bindDrivers(accessGroup("machine-health"));

    const machines = routeGroup("machines");
    bindDrivers(machines);
    secrets.bindWrite(machines, "machine");

    // Its own line has what the two of Lambda say, which would be a third of what a call's logs cost.
    const computer = routeGroup("computer", { systemLogLevel: SystemLogLevel.WARN });
    bindDrivers(computer);
    files.bindPassing(computer);
    files.bindWriteSteps(computer);
    files.bindReadSteps(computer);
    secrets.bindRead(computer, "machine", "pool");
    computer.set("STEP_DAYS", String(settings.stepDays));
    computer.set("LOOKS_MAX", String(looksShareOf(settings.lambdaConcurrency)));

    const driver = routeGroup("driver");
    tunnelKey.bindRead(driver);
    tunnelApi.bindAddress(driver);
    tunnelApi.bindDisconnects(routeGroup("connections"));
    secrets.bindWrite(routeGroup("pools"), "pool");
    const providerCredentials = routeGroup("provider-credentials");
    secrets.bindWrite(providerCredentials, "provider");
    secrets.bindRead(providerCredentials, "provider");
    routeGroup("workflows");
    routeGroup("workflow-tags");
    routeGroup("model-configurations");
    routeGroup("api-keys");

    const runs = routeGroup("runs");
    files.bindReadWrite(runs, "spill/");
    files.bindWrite(runs, "attachments/");
    files.bindReadSteps(runs);
    secrets.bindRead(runs, "machine", "pool");

    const schedules = routeGroup("schedules");
    files.bindReadWrite(schedules, "spill/");
    files.bindWrite(schedules, "attachments/");

    const following = accessGroup("following");
    files.bindRead(following);
    following.set("WAITS_MAX", String(waitsShareOf(settings.lambdaConcurrency)));

    const attachments = routeGroup("run-attachments");
    attachments.set("ATTACHMENT_DAYS", String(settings.attachmentDays));
    files.bindReadWrite(attachments, "attachments/");
    const trajectories = routeGroup("trajectories");
    files.bindReadWrite(trajectories, "spill/");
    files.bindReadSteps(trajectories);
    trajectories.set("STEP_DAYS", String(settings.stepDays));

    const logs = accessGroup("logs");

    // Its tools are requests of the API with the caller's own credentials, so that it needs no other right.
    const mcp = routeGroup("mcp");
    mcp.set("BASE_URL", operationsApi.url);
    mcp.set("CORS_ORIGINS", JSON.stringify(settings.corsOrigins));

    // The function reads only the files beside its bundle.
    functions.addRouteGroup("docs");
    // It knows the addresses of tunnel and bucket, to which the page's policy lets it connect.
    const consoleGroup = functions.addRouteGroup("console");
    tunnelApi.bindAddress(consoleGroup);
    files.bindAddress(consoleGroup);
    consoleGroup.set("CONSOLE_SIGN_IN", JSON.stringify(signInOf(settings)));

    // Each response arrives in one short call, which must never wait for concurrency. API Gateway waits for 29 s.
    const tunnel = functions.addFunction("tunnel", {
      timeout: Duration.seconds(28),
      memoryMegabytes: 1024,
      // Most invocations are pings, each of which would log two lines that say nothing.
      systemLogLevel: SystemLogLevel.WARN,
    });
    tunnel.set("KEY_CONNECTIONS_MAX", String(settings.keyConnectionsMax));
    tunnel.set("PING_SECONDS", String(settings.pingSeconds));
    tunnelKey.bindRead(tunnel);
    dataKey.bindRead(tunnel);
    tunnelApi.bindConnections(tunnel);
    tunnelApi.bindDisconnects(tunnel);
    files.bindAddress(tunnel);
    tunnelApi.addRoutes(tunnel);

    // A sweep must end before the next one starts.
    const sweeper = functions.addFunction("sweeper", { timeout: Duration.seconds(55), memoryMegabytes: 512 });
    tunnelApi.bindConnections(sweeper);
    tunnelApi.bindDisconnects(sweeper);
    tunnelApi.bindQuestions(sweeper);
    secrets.bindSweep(sweeper);
    files.bindSweep(sweeper);
    sweeper.set("VANISHED_MACHINE_GRACE_SECONDS", String(settings.vanishedMachineGraceSeconds));
    sweeper.set("RUN_DAYS", String(settings.runDays));
    sweeper.set("SESSION_IDLE_SECONDS", String(settings.sessionIdleSeconds));
    sweeper.bindSelf();
    new Timer(this, "SweeperSchedule", sweeper, Duration.minutes(1));

    // It waits up to a minute for what is due, and the next invocation may begin meanwhile.
    const scheduler = functions.addFunction("scheduler", {
      timeout: Duration.minutes(2),
      memoryMegabytes: 512,
    });
    files.bindRead(scheduler);
    files.bindAdd(scheduler, "attachments/");
    scheduler.bindSelf();
    new Timer(this, "SchedulerSchedule", scheduler, Duration.minutes(1));

    // A minute suffices for a deletion with many items.
    const projector = functions.addFunction("projector", {
      timeout: Duration.seconds(60),
      memoryMegabytes: 512,
    });
    tunnelApi.bindConnections(projector);
    tunnelApi.bindDisconnects(projector);
    secrets.bindDelete(projector, "machine", "pool");
    files.bindRead(projector);
    files.bindDelete(projector);
    events.bindPublish(projector);
    projector.bindSelf();
    // While an organization's viewers have changes to hear of, each half minute starts the next one.
    projector.allowChains();
    this.projections = new StreamConsumer(this, "Projections", {
      table,
      consumer: projector,
      changes: projectedChanges,
    });

    for (const logging of [logs, projector]) {
      logging.set("AUDIT_DAYS", String(settings.auditDays));
      logging.set("REQUEST_LOG_DAYS", String(settings.requestLogDays));
    }

    // Runs wait for the matcher, so it must never wait for a CPU itself.
    const matcher = functions.addFunction("matcher", {
      timeout: Duration.seconds(60),
      memoryMegabytes: 1024,
    });
    files.bindRead(matcher);
    this.matches = new StreamConsumer(this, "Matches", { table, consumer: matcher, changes: matchedChanges });

    const webhooks = routeGroup("webhooks");
    secrets.bindWrite(webhooks, "webhook");
    const webhookSender = functions.addFunction("webhook-sender", {
      timeout: Duration.seconds(deliveryAttemptSeconds),
      memoryMegabytes: 512,
    });
    // An execution is one attempt with the time until the next one, at most a day.
    const webhookDeliverer = functions.addDurable("webhook-deliverer", {
      timeout: Duration.seconds(60),
      memoryMegabytes: 512,
      executionTimeout: Duration.days(2),
      retentionPeriod: Duration.days(1),
    });
    this.webhookDeliverer = webhookDeliverer;
    webhookSender.bindSelf();
    // Deliveries under way that an earlier release began go on by executions alone.
    webhookDeliverer.bindSuccessors();
    webhookDeliverer.bindStart(webhookSender, "WEBHOOK_DELIVERER_ARN");
    webhookDeliverer.bindSender(webhookSender);
    for (const fn of [webhookSender, webhookDeliverer, projector]) dataKey.bindRead(fn);
    for (const sending of [webhooks, webhookSender, webhookDeliverer]) secrets.bindRead(sending, "webhook");
    for (const starting of [webhooks, projector, sweeper])
      webhookSender.bindInvoke(starting, "WEBHOOK_SENDER_ARN");
    // As the release before runs beside this one, these start executions themselves.
    for (const starting of [webhooks, projector])
      webhookDeliverer.bindStart(starting, "WEBHOOK_DELIVERER_ARN");
    const sendsMax = String(sendsShareOf(settings.lambdaConcurrency));
    for (const fn of [webhooks, projector, sweeper, webhookSender, webhookDeliverer])
      fn.set("ORGANIZATION_SENDS_MAX", sendsMax);

    const groups = [...this.functions.values()].filter((fn) => fn instanceof RouteGroupFunction);
    const releases = new CanaryReleases(this, "Releases", { apiId: operationsApi.apiId, settings });
    releases.add(groups, settings.syntheticRun ? this.#syntheticRun(functions, groups, secrets) : undefined);

    const executor = functions.addDurable("executor", {
      // This is Lambda's maximum, for steps that wait for a screen.
      timeout: Duration.minutes(15),
      // The largest pictures need 600 MB; a model's call is paid for by memory while it waits (DEPLOY.md, "What a run costs").
      memoryMegabytes: 1_024,
      // A run and its verification may take the longest time, may be held for a day beside, and then has to be ended.
      executionTimeout: Duration.seconds(2 * durationSecondsMax + 86_400 + 3_600),
      retentionPeriod: Duration.days(7),
    });
    this.executor = executor;
    executor.set("ATTACHMENT_DAYS", String(settings.attachmentDays));
    bindDrivers(executor);
    dataKey.bindRead(executor);
    secrets.bindRead(executor, "machine", "pool", "provider");
    secrets.bindReadPlatformKeys(executor);
    executor.set("PLATFORM_TOKENS_PER_DAY", String(settings.platformTokensPerDay));
    const endpoints = JSON.stringify(settings.modelEndpoints);
    for (const asking of [executor, providerCredentials]) asking.set("MODEL_ENDPOINTS", endpoints);
    files.bindExecuting(executor);
    executor.set("STEP_DAYS", String(settings.stepDays));
    executor.bindSuccessors();
    for (const starting of [matcher, projector, sweeper]) executor.bindStart(starting, "EXECUTOR_ARN");
    const executionsMax = String(
      executionsShareOf(settings.organizationExecutionsMax, settings.lambdaConcurrency),
    );
    for (const fn of [matcher, sweeper, following, executor])
      fn.set("ORGANIZATION_EXECUTIONS_MAX", executionsMax);
    const serviceExecutionsMax = serviceExecutionsOf(settings.lambdaConcurrency);
    if (serviceExecutionsMax !== undefined) {
      for (const fn of [matcher, sweeper, following])
        fn.set("SERVICE_EXECUTIONS_MAX", String(serviceExecutionsMax));
    }
    executor.bindFind(sweeper);
    for (const fn of [runs, sweeper]) executor.bindCallbacks(fn);

    const watch = functions.addFunction("executions-watch", {
      timeout: Duration.seconds(30),
      memoryMegabytes: 512,
    });
    executor.bindRead(watch);
    executor.onFailure(watch);
  }

  #syntheticRun(
    functions: ServiceFunctions,
    groups: readonly RouteGroupFunction[],
    secrets: DeploymentSecrets,
  ): ServiceFunction {
    // A run is over in seconds; what it made is removed in the rest.
    const fn = functions.addFunction("synthetic", { timeout: Duration.minutes(3), memoryMegabytes: 512 });
    new SyntheticRun(this, "SyntheticRun", { fn, api: this.operationsApi, groups, secrets });
    return fn;
  }

  #distribution({ domain }: OperationsApi): EdgeDistribution | undefined {
    const { edge, settings } = this.#props;
    const { httpHostName, edgeCertificateArn } = settings;
    if (!edge || !domain || httpHostName === undefined || edgeCertificateArn === undefined) return undefined;
    this.addStackDependency(edge, "reads the web ACL's ARN");
    return new EdgeDistribution(this, "Edge", {
      hostName: httpHostName,
      certificateArn: edgeCertificateArn,
      origin: domain,
      webAclArn: edge.webAclArn,
      secretVersionId: settings.edgeSecretVersionId,
    });
  }
}

function signInOf({ consoleSignIn, jwtIssuer }: Settings): ConsoleSignIn | null {
  return consoleSignIn === undefined ? null : { issuer: jwtIssuer, ...consoleSignIn };
}
