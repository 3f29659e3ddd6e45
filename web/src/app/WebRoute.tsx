import { useParams } from 'react-router';
import { NotFoundPage } from '../features/notices/NotFoundPage.tsx';
import { WebPage } from '../features/web/WebPage.tsx';

/** A device's web page in a frame; every address that is none of the person's devices is a page that is not there. */
export function WebRoute() {
  const { address = '' } = useParams();
  return <WebPage key={address} address={address} lost={<NotFoundPage />} />;
}
