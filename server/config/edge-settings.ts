import { z } from 'zod';
import { type EdgeKindName, type EdgeSettings, edgeKinds } from '../../generator/edge/edge-kinds.ts';
import { s3Variables } from '../../generator/edge/s3-kind.ts';

const kindNames = new Intl.ListFormat('en', { type: 'disjunction' }).format(Object.keys(edgeKinds));

/** Variables of the edge, whatever its kind. */
export const edgeVariables = {
  PLATEN_EDGE: z
    .custom<EdgeKindName>((name) => typeof name === 'string' && Object.hasOwn(edgeKinds, name), {
      error: `must be ${kindNames}`,
      abort: true,
    })
    .default('filesystem'),
  ...s3Variables,
};

type EdgeEnvironment = z.infer<z.ZodObject<typeof edgeVariables>> & {
  readonly PLATEN_MEDIA_URL?: string | undefined;
  readonly PLATEN_BLOG_HOST?: string | undefined;
};

/** Missing and useless variables of the edge, each with the name of the variable to fix. */
export const edgeProblems = (env: EdgeEnvironment) =>
  Object.values(edgeKinds).flatMap((kind) => [...kind.problems(env)]);

/** The edge's settings from validated variables. */
export const edgeSettingsOf = (env: EdgeEnvironment, dataDir: string): EdgeSettings =>
  edgeKinds[env.PLATEN_EDGE].settingsOf(env, dataDir);

/**
 * Silences the AWS SDK's warning about the Node version that its later releases need: eight lines at each start that
 * an operator can do nothing about. A value that the operator has set stays.
 */
export function silenceSdkWarning(env: NodeJS.ProcessEnv): void {
  env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
}
