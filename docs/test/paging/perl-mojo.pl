use Mojo::Base -strict;
use Mojo::UserAgent;

my $agent = Mojo::UserAgent->new;
my $url = "$ENV{URL}/pets?limit=2";
while (defined $url) {
    my $response = $agent->get($url, { Authorization => "Bearer $ENV{KEY}" })->result;
    die $response->message unless $response->is_success;
    print "$_->{name}\n" for @{ $response->json };
    my $next = $response->headers->links->{next};
    $url = $next && $next->{link};
}
