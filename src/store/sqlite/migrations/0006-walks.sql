-- What is asked for with every session is found without a walk over all that the build has done so far.
CREATE INDEX keepsakes_task ON keepsakes (build, kind, task);
CREATE INDEX spending_charged ON spending (build, role) WHERE state = 'settled' AND charged_usd + charged_tokens > 0;
CREATE INDEX spending_priced ON spending (agent, build)
  WHERE state = 'settled' AND cost_usd IS NOT NULL AND input_tokens + output_tokens > 0;
