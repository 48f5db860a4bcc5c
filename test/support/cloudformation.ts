import { loadAwsServiceSpec } from '@aws-cdk/aws-service-spec';
import { type CollectionTag, parse, type ScalarTag } from 'yaml';

/** A CloudFormation template with its short forms (`!Ref`) expanded. */
export interface Template {
  readonly Parameters: Readonly<Record<string, unknown>>;
  readonly Conditions: Readonly<Record<string, unknown>>;
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties: unknown }>>;
  readonly Outputs: Readonly<Record<string, { readonly Value: unknown; readonly Description: string }>>;
}

const functions = ['And', 'Equals', 'GetAtt', 'If', 'Join', 'Not', 'Or', 'Select', 'Split', 'Sub'];

const tags = ['Ref', 'Condition', ...functions].flatMap((name): (ScalarTag | CollectionTag)[] => {
  const key = functions.includes(name) ? `Fn::${name}` : name;
  const tag = `!${name}`;
  return [
    {
      tag,
      resolve: (value: string) => ({ [key]: name === 'GetAtt' ? value.split(/\.(.*)/s).slice(0, 2) : value }),
    },
    { tag, collection: 'seq', resolve: (value) => ({ [key]: 'toJSON' in value ? value.toJSON() : value }) },
  ];
});

/** Reads a template. Throws for invalid YAML, or for a tag that CloudFormation does not know. */
export function readTemplate(text: string): Template {
  const read: Template = parse(text, { customTags: tags, strict: true, logLevel: 'error' });
  return read;
}

type Spec = Awaited<ReturnType<typeof loadAwsServiceSpec>>;
type Resource = ReturnType<Spec['all']> extends never ? never : NonNullable<ReturnType<typeof resourceOf>>;
type Property = Resource['properties'][string];

const resourceOf = (spec: Spec, type: string) =>
  spec.lookup('resource', 'cloudFormationType', 'equals', type)[0];

const pseudo = new Set(['AWS::AccountId', 'AWS::NoValue', 'AWS::Partition', 'AWS::Region', 'AWS::StackName']);

/**
 * Violations of the published resource schemas by a template: types, properties, attributes and dangling references.
 */
export async function lintTemplate(template: Template): Promise<string[]> {
  const spec = await loadAwsServiceSpec();
  const problems: string[] = [];
  const { Resources: resources, Parameters: parameters, Conditions: conditions } = template;

  function checkName(name: string, attribute: string | undefined, at: string): void {
    const resource = resources[name];
    if (attribute === undefined) {
      if (!resource && !(name in parameters) && !pseudo.has(name))
        problems.push(`${at}: there is no ${name}`);
      return;
    }
    const known = resource && resourceOf(spec, resource.Type);
    if (!known) problems.push(`${at}: there is no resource ${name}`);
    else if (!(attribute in known.attributes)) problems.push(`${at}: ${name} has no attribute ${attribute}`);
  }

  function checkReferences(value: unknown, at: string): void {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, part] of Object.entries(value)) {
      if (key === 'Ref') checkName(String(part), undefined, at);
      else if (key === 'Fn::GetAtt') checkName(String(part[0]), String(part[1]), at);
      else if (key === 'Condition' && typeof part === 'string') {
        if (!(part in conditions)) problems.push(`${at}: there is no condition ${part}`);
      } else if (key === 'Fn::Sub') {
        for (const [, name = '', , attribute] of String(part).matchAll(/\$\{([\w:]+)(\.([\w.]+))?\}/g)) {
          checkName(name, attribute, at);
        }
      } else if (key === 'Fn::If') {
        if (!(part[0] in conditions)) problems.push(`${at}: there is no condition ${part[0]}`);
        checkReferences(part, at);
      } else if (key === 'DependsOn') {
        for (const name of [part].flat())
          if (!(name in resources)) problems.push(`${at}: there is no ${name}`);
      } else checkReferences(part, `${at}.${key}`);
    }
  }

  function checkProperties(known: Readonly<Record<string, Property>>, value: unknown, at: string): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      problems.push(`${at}: is not an object`);
      return;
    }
    for (const [name, part] of Object.entries(value)) {
      const property = known[name];
      if (!property) problems.push(`${at}: has no property ${name}`);
      else checkType(property.type, part, `${at}.${name}`);
    }
    for (const [name, { required }] of Object.entries(known)) {
      if (required && !(name in value)) problems.push(`${at}: ${name} is missing`);
    }
  }

  function checkType(type: Property['type'], value: unknown, at: string): void {
    for (const one of alternatives(value)) {
      if (isComputed(one)) continue;
      if (type.type === 'ref') {
        const { properties } = spec.get('typeDefinition', type.reference);
        checkProperties(properties, one, at);
      } else if (type.type === 'array') {
        if (!Array.isArray(one)) problems.push(`${at}: is not a list`);
        else for (const [i, item] of one.entries()) checkType(type.element, item, `${at}[${i}]`);
      } else if (type.type === 'string' && typeof one !== 'string') problems.push(`${at}: is not a text`);
      else if (type.type === 'boolean' && typeof one !== 'boolean')
        problems.push(`${at}: is neither true nor false`);
      else if ((type.type === 'integer' || type.type === 'number') && typeof one !== 'number') {
        problems.push(`${at}: is not a number`);
      }
    }
  }

  for (const [name, resource] of Object.entries(resources)) {
    const known = resourceOf(spec, resource.Type);
    if (!known) problems.push(`${name}: there is no type ${resource.Type}`);
    else checkProperties(known.properties, resource.Properties, name);
    checkReferences(resource, name);
  }
  checkReferences(template.Outputs, 'Outputs');
  checkReferences(conditions, 'Conditions');
  return problems;
}

/** All values that an expression may have. */
function alternatives(value: unknown): unknown[] {
  if (typeof value === 'object' && value !== null && 'Fn::If' in value && Array.isArray(value['Fn::If'])) {
    return value['Fn::If'].slice(1).flatMap(alternatives);
  }
  return [value];
}

const isComputed = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).some((key) => /^(?:Ref|Fn::\w+)$/.test(key));
