import type { StackOnDisk } from "./assembly-on-disk.ts";

const lambdaUri = (fn: string): object => ({
  "Fn::Join": [
    "",
    [
      "arn:",
      { Ref: "AWS::Partition" },
      ":apigateway:",
      { Ref: "AWS::Region" },
      ":lambda:path/2015-03-31/functions/",
      { "Fn::GetAtt": [fn, "Arn"] },
      "/invocations",
    ],
  ],
});

/** The second stack, which uses the first one's table: a function behind both kinds of API, a stream and a rule. */
export const serviceResources: Readonly<Record<string, object>> = {
  Role: {
    Type: "AWS::IAM::Role",
    Properties: {
      ManagedPolicyArns: [
        {
          "Fn::Join": [
            "",
            ["arn:", { Ref: "AWS::Partition" }, ":iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"],
          ],
        },
      ],
    },
  },
  Policy: {
    Type: "AWS::IAM::Policy",
    Properties: {
      PolicyName: "p",
      Roles: [{ Ref: "Role" }],
      PolicyDocument: {
        Statement: [
          { Effect: "Allow", Action: "dynamodb:GetItem", Resource: { "Fn::ImportValue": "data:arn" } },
        ],
      },
    },
  },
  Fn: {
    Type: "AWS::Lambda::Function",
    Properties: {
      Code: { S3Bucket: { "Fn::Sub": `assets-\${AWS::AccountId}` }, S3Key: "abc.zip" },
      Handler: "index.handler",
      Runtime: "nodejs24.x",
      Role: { "Fn::GetAtt": ["Role", "Arn"] },
      Timeout: 29,
      MemorySize: 512,
      Environment: {
        Variables: {
          TABLE_NAME: { "Fn::ImportValue": "data:name" },
          WEBSOCKET_URL: { "Fn::Sub": `\${Sockets.ApiEndpoint}/\${SocketStage}` },
          LEFT_OUT: { Ref: "AWS::NoValue" },
        },
      },
    },
    DependsOn: ["Policy", "Role"],
  },
  Http: { Type: "AWS::ApiGatewayV2::Api", Properties: { Name: "http", ProtocolType: "HTTP" } },
  HttpStage: {
    Type: "AWS::ApiGatewayV2::Stage",
    Properties: {
      ApiId: { Ref: "Http" },
      StageName: "$default",
      DefaultRouteSettings: { ThrottlingRateLimit: 100, ThrottlingBurstLimit: 200 },
      RouteSettings: { "GET /v1/things/{thing_id}": { ThrottlingRateLimit: 5, ThrottlingBurstLimit: 6 } },
    },
  },
  HttpIntegration: {
    Type: "AWS::ApiGatewayV2::Integration",
    Properties: {
      ApiId: { Ref: "Http" },
      IntegrationType: "AWS_PROXY",
      IntegrationUri: { "Fn::GetAtt": ["Fn", "Arn"] },
      PayloadFormatVersion: "2.0",
    },
  },
  HttpRoute: {
    Type: "AWS::ApiGatewayV2::Route",
    Properties: {
      ApiId: { Ref: "Http" },
      RouteKey: "GET /v1/things/{thing_id}",
      Target: { "Fn::Join": ["", ["integrations/", { Ref: "HttpIntegration" }]] },
    },
  },
  Sockets: {
    Type: "AWS::ApiGatewayV2::Api",
    Properties: {
      Name: "sockets",
      ProtocolType: "WEBSOCKET",
      RouteSelectionExpression: "$request.body.action",
    },
  },
  SocketStage: {
    Type: "AWS::ApiGatewayV2::Stage",
    Properties: { ApiId: { Ref: "Sockets" }, StageName: "tunnel" },
  },
  SocketIntegration: {
    Type: "AWS::ApiGatewayV2::Integration",
    Properties: { ApiId: { Ref: "Sockets" }, IntegrationType: "AWS_PROXY", IntegrationUri: lambdaUri("Fn") },
  },
  ConnectRoute: {
    Type: "AWS::ApiGatewayV2::Route",
    Properties: {
      ApiId: { Ref: "Sockets" },
      RouteKey: "$connect",
      AuthorizationType: "NONE",
      Target: { "Fn::Join": ["", ["integrations/", { Ref: "SocketIntegration" }]] },
    },
  },
  ApiMayInvoke: {
    Type: "AWS::Lambda::Permission",
    Properties: {
      Action: "lambda:InvokeFunction",
      FunctionName: { "Fn::GetAtt": ["Fn", "Arn"] },
      Principal: "apigateway.amazonaws.com",
    },
  },
  Failures: { Type: "AWS::SQS::Queue", Properties: {} },
  Stream: {
    Type: "AWS::Lambda::EventSourceMapping",
    Properties: {
      FunctionName: { Ref: "Fn" },
      EventSourceArn: { "Fn::ImportValue": "data:stream" },
      StartingPosition: "TRIM_HORIZON",
      BatchSize: 50,
      ParallelizationFactor: 10,
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 5,
      MaximumRecordAgeInSeconds: 3600,
      FunctionResponseTypes: ["ReportBatchItemFailures"],
      FilterCriteria: { Filters: [{ Pattern: '{"dynamodb":{"NewImage":{"kind":{"S":["machine"]}}}}' }] },
      DestinationConfig: { OnFailure: { Destination: { "Fn::GetAtt": ["Failures", "Arn"] } } },
    },
  },
  EveryMinute: {
    Type: "AWS::Events::Rule",
    Properties: {
      ScheduleExpression: "rate(1 minute)",
      State: "ENABLED",
      Targets: [{ Id: "t", Arn: { "Fn::GetAtt": ["Fn", "Arn"] }, Input: '{"sweep":true}' }],
    },
  },
  RuleMayInvoke: {
    Type: "AWS::Lambda::Permission",
    Properties: {
      Action: "lambda:InvokeFunction",
      FunctionName: { "Fn::GetAtt": ["Fn", "Arn"] },
      Principal: "events.amazonaws.com",
    },
  },
  ItselfMayInvoke: {
    Type: "AWS::Lambda::Permission",
    Properties: {
      Action: "lambda:InvokeFunction",
      FunctionName: { "Fn::GetAtt": ["Fn", "Arn"] },
      Principal: { "Fn::GetAtt": ["Role", "Arn"] },
    },
  },
  Alarm: { Type: "AWS::CloudWatch::Alarm", Properties: {} },
};

const dataStack: StackOnDisk = {
  template: {
    Resources: {
      Table: {
        Type: "AWS::DynamoDB::Table",
        Properties: { KeySchema: [], StreamSpecification: { StreamViewType: "NEW_AND_OLD_IMAGES" } },
      },
      Files: {
        Type: "AWS::S3::Bucket",
        Properties: {
          CorsConfiguration: {
            CorsRules: [
              {
                AllowedOrigins: ["https://dashboard.example.com"],
                AllowedMethods: ["GET", "PUT"],
                AllowedHeaders: ["*"],
                MaxAge: 3_600,
              },
            ],
          },
        },
      },
      SigningKey: {
        Type: "AWS::SecretsManager::Secret",
        Properties: {
          GenerateSecretString: {
            SecretStringTemplate: "{}",
            GenerateStringKey: "key",
            PasswordLength: 64,
            ExcludePunctuation: true,
          },
        },
      },
    },
    Outputs: {
      A: { Value: { Ref: "Table" }, Export: { Name: "data:name" } },
      B: { Value: { "Fn::GetAtt": ["Table", "Arn"] }, Export: { Name: "data:arn" } },
      C: { Value: { "Fn::GetAtt": ["Table", "StreamArn"] }, Export: { Name: "data:stream" } },
    },
  },
};

export function sampleStacks(resources: Readonly<Record<string, object>> = serviceResources) {
  return {
    // Out of order on purpose: the assembly says which comes first.
    service: {
      template: { Resources: resources },
      assets: { "abc.zip": "asset.abc" },
    },
    data: dataStack,
  };
}
