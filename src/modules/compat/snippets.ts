/** The one change that lets a bot of another network ask this service, as code to copy (docs/guides/switching.md). */
interface Snippet {
  /** The name under `/compat`. */
  readonly network: 'subgram' | 'flyer' | 'tgrass' | 'piarflow' | 'botohub';
  readonly title: string;
  readonly language: 'python' | 'sh';
  readonly code: string;
}

/** Returns one snippet per network, with the address of the service and the API token filled in. */
export function snippetsFor({ url, token }: { readonly url: string; readonly token: string }): readonly Snippet[] {
  const post = (path: string, header: string, body: string): string =>
    `curl -X POST ${url}/compat/${path} -H '${header}' -H 'Content-Type: application/json' -d '${body}'`;
  return [
    {
      network: 'subgram',
      title: 'SubGram',
      language: 'python',
      code: `client = SubgramClient(api_key='${token}')\nclient.API_URL = '${url}/compat/subgram'`,
    },
    {
      network: 'flyer',
      title: 'Flyer',
      language: 'sh',
      code: post('flyer/get_tasks', 'Accept: application/json', `{"key": "${token}", "user_id": 100001}`),
    },
    {
      network: 'tgrass',
      title: 'TGrass',
      language: 'sh',
      code: post('tgrass/offers', `Auth: ${token}`, '{"tg_user_id": 100001}'),
    },
    {
      network: 'piarflow',
      title: 'PiarFlow',
      language: 'sh',
      code: post('piarflow/v1/sponsors', `Authorization: Bearer ${token}`, '{"user_id": 100001}'),
    },
    {
      network: 'botohub',
      title: 'BotoHub',
      language: 'sh',
      code: post('botohub/get-tasks-extended', `Auth: ${token}`, '{"chat_id": 100001}'),
    },
  ];
}
