use strict;
use warnings;
use JSON::PP;
use LWP::UserAgent;

my $agent = LWP::UserAgent->new;
my $url = "$ENV{URL}/pets?limit=2";
while (defined $url) {
    my $response = $agent->get($url, Authorization => "Bearer $ENV{KEY}");
    die $response->status_line unless $response->is_success;
    print "$_->{name}\n" for @{ decode_json($response->content) };
    ($url) = ($response->header("Link") // "") =~ /<([^>]*)>; rel="next"/;
}
