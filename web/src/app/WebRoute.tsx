import { useParams } from 'react-router';
import { NotFoundPage } from '../features/notices/NotFoundPage.tsx';
import { WebPage } from '../features/web/WebPage.tsx';

/** A device's web service in a frame; an address of none of the person's devices shows the 404 page. */
export function WebRoute() {
  const { address = '' } = useParams();
  return <WebPage key={address} address={address} lost={<NotFoundPage />} />;
}
