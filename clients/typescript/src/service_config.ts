// Made from deploy/client/service_config.json by `npm run generate`; not to be edited.
export const serviceConfig = {
  "loadBalancingConfig": [
    {
      "round_robin": {}
    }
  ],
  "retryThrottling": {
    "maxTokens": 1000,
    "tokenRatio": 0.5
  },
  "methodConfig": [
    {
      "name": [
        {
          "service": "hakam.v1.GameService"
        }
      ],
      "waitForReady": true,
      "timeout": "60s",
      "retryPolicy": {
        "maxAttempts": 5,
        "initialBackoff": "0.05s",
        "maxBackoff": "0.5s",
        "backoffMultiplier": 2,
        "perAttemptRecvTimeout": "2s",
        "retryableStatusCodes": [
          "UNAVAILABLE",
          "CANCELLED"
        ]
      }
    },
    {
      "name": [
        {
          "service": "hakam.v1.GameService",
          "method": "ReplayGame"
        },
        {
          "service": "hakam.v1.GameService",
          "method": "BatchValidateMoves"
        },
        {
          "service": "hakam.v1.GameService",
          "method": "BatchApplyMoves"
        }
      ],
      "waitForReady": true,
      "timeout": "60s",
      "retryPolicy": {
        "maxAttempts": 5,
        "initialBackoff": "0.05s",
        "maxBackoff": "0.5s",
        "backoffMultiplier": 2,
        "perAttemptRecvTimeout": "10s",
        "retryableStatusCodes": [
          "UNAVAILABLE",
          "CANCELLED"
        ]
      }
    }
  ]
} as const;
